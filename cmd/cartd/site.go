package main

import (
	"cartd/commerce"
	"cartd/httpserver"
	"cartd/httpserver/site"
	"cartd/web"
)

// addSite adds the demo's shop, and the merchant's systems behind it.
func (n *node) addSite(settings *httpserver.Config, shown *commerce.Store, mail *demoMail) error {
	page := web.Page{Store: shown.Name, Northwind: !n.config.ownCatalogue()}
	files, err := web.Files(page)
	for _, file := range files {
		settings.Site = append(settings.Site, site.Source(file))
	}
	merchant := newDemoMerchant(baseOf(n.listener))
	settings.SitePictures = pictureOrigins(shown)
	settings.SiteCalls = []site.Call{{Path: "/payment", Answer: merchant.pay}}
	if n.config.hasMailbox() {
		settings.SiteCalls = append(settings.SiteCalls, site.Call{Path: mailPath, Answer: mail.receive}, site.Call{Path: mailboxPath, Answer: mail.show})
	}
	return err
}

// addDesk adds the merchant's desk.
func addDesk(settings *httpserver.Config) error {
	files, err := web.Desk()
	for _, file := range files {
		settings.Desk = append(settings.Desk, site.Source(file))
	}
	return err
}
