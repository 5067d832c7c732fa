// Package catalog owns the complete list of operations and everything that is generated from it: catalog.json for the
// command line, openapi.json for clients and the console, and the reference pages of the manual. The generated files are
// committed, and a test fails when they are out of date, so that every change of the surface is seen in a diff.
//
// It refuses to describe by hand what an operation already says.
package catalog
