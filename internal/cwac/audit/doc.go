// Package audit looks at one loaded page: axe-core in every frame and shadow root,
// reflow, focus, title, screenshots and chosen elements. What it finds are
// [results.Finding] values with the place of each fault.
//
// It never decides which pages to load, and never writes a file.
package audit
