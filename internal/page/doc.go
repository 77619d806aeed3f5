// Package page is one form page as a program sees it: its fields, labels,
// options, errors and answers, found through frames and shadow roots, set and
// read back.
//
// One page-side script (agent/*.js) reads and judges the page in the browser's
// isolated world; Go passes data to it only as JSON arguments of fixed
// functions, and does the things a script cannot: trusted input, frames,
// navigation and pictures. What is waited for is observed, never slept for.
//
// The package never knows a wizard or a contract, never evaluates anything that
// the page says, never solves or evades a CAPTCHA, block or login, and never
// writes a value that was typed into a log or an error.
package page
