package main

import (
	"fmt"
	"slices"
)

// reload reads again what a node takes from files: the URL of Redis with its password, the certificates
// for rediss://, the level of the log, the trusted proxies and the origins. A fault in any of them
// leaves all as they are.
func (n *node) reload() {
	changed, err := n.readAgain()
	if err != nil {
		n.log.Error("nothing was reloaded", "error", err.Error())
		return
	}
	n.log.Info("reloaded", "changed", changed)
}

// readAgain returns the flags whose values are others now.
func (n *node) readAgain() (changed []string, err error) {
	c := n.config
	var proxies prefixFlag
	var origins originFlag
	var level levelFlag
	if err := c.trustedProxies.again(&proxies); err != nil {
		return nil, fmt.Errorf("--trusted-proxies: %w", err)
	}
	if err := c.corsOrigins.again(&origins); err != nil {
		return nil, fmt.Errorf("--cors-origins: %w", err)
	}
	if err := c.logLevel.again(&level); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	changed = []string{}
	if c.redis.url != embeddedURL { // last, because it counts at once
		url := c.redis.url
		if c.redis.read != "" {
			if url, err = readURL(c.redis.read); err != nil {
				return nil, err
			}
		}
		other, err := n.db.Redis().Reload(url)
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		if other {
			changed = append(changed, "redis")
		}
	}
	if !slices.Equal(proxies.list, c.trustedProxies.list) {
		changed = append(changed, "trusted-proxies")
	}
	if !slices.Equal(origins.list, c.corsOrigins.list) {
		changed = append(changed, "cors-origins")
	}
	n.server.Trust(proxies.list, origins.list)
	c.trustedProxies, c.corsOrigins = proxies, origins
	if now := level.level.Level(); now != c.logLevel.level.Level() {
		changed = append(changed, "log-level")
		c.logLevel.level.Set(now)
	}
	return changed, nil
}
