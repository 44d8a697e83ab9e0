package main

import (
	"cartd/httpserver"
	"cartd/httpserver/site"
	"cartd/web"
)

// site sets the demo's shop, and the merchant's system behind it. Only --demo has them.
func (n *node) site(settings *httpserver.Config) error {
	if !n.config.demo {
		return nil
	}
	files, err := web.Files()
	for _, file := range files {
		settings.Site = append(settings.Site, site.Source(file))
	}
	merchant := newDemoMerchant(n.listener)
	settings.SiteCalls = []site.Call{{Path: "/payment", Answer: merchant.pay}}
	return err
}
