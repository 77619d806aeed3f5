// Package media keeps the photos and videos that people hand in. What comes in is
// written to a file while it arrives, never to memory; its type is what its bytes
// say; a photo is decoded and encoded anew, so that nothing but the picture
// remains of it; a video's container is checked and its places blanked. What a
// file says of when and where it was made goes into a private record.
//
// Files are named by their content, readable by the owner of the process only,
// and leave through signed links that end soon. Start with Open; Uploads and Files
// are the HTTP faces.
//
// It never trusts a name or a type that a client sends, never keeps an original
// photo, never serves a directory, transcodes no video, and does not know tasks.
package media
