package main

import (
	"cartd/httpserver"
	"cartd/web"
)

// site returns the files of the demo's shop. Only --demo serves them.
func (c *serveConfig) site() ([]httpserver.SiteFile, error) {
	if !c.demo {
		return nil, nil
	}
	built, err := web.Files()
	files := make([]httpserver.SiteFile, len(built))
	for i, file := range built {
		files[i] = httpserver.SiteFile(file)
	}
	return files, err
}
