// Package site owns what the server shows beside the API: the page of the API's description (Redoc), the
// pages of docs/api with the rules, and the files of web sites: the demo's shop and the merchant's desk. A
// file is packed once and chosen by what the client accepts.
//
// It knows no route and no request of the API: httpserver gives each page its row.
//
// Open first: site.go (the files of a web site), docs.go (the pages of the documentation), file.go.
package site
