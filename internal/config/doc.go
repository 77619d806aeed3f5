// Package config gathers the settings: defaults, then the settings file, then
// .env, then the environment, then the command line, each over the one before.
// Start with Load. It is the only package that knows the environment, and it gets
// it as a value: nothing here reads a variable or a file on its own.
//
// It never prints a secret and never accepts a part of a wrong configuration.
package config
