//go:build long

package faultsuite

import "testing"

func TestLongTheSuiteNoticesEveryMissingSafeguard(t *testing.T) { notices(t, controls) }

func TestLongTheMarketNoticesMissingSafeguards(t *testing.T) { noticesInTheMarket(t) }
