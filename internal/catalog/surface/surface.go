// Package surface owns the generated files that describe the product's surface, embedded for those who must not see the code
// behind them: the command line and the server's own documentation routes.
//
// It refuses to be edited: `make gen` writes the files.
package surface

import _ "embed"

// Catalog is catalog.json.
//
//go:embed catalog.json
var Catalog []byte

// OpenAPI is openapi.json.
//
//go:embed openapi.json
var OpenAPI []byte
