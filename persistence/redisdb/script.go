package redisdb

import (
	"context"
	"embed"
	"errors"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// onConnect loads the scripts on a new connection, in one round trip. Until one connection has
// them it asks PING first: a Redis that expects a password closes a connection that sends a long
// script, and does not answer why.
func (c *Client) onConnect(ctx context.Context, cn *redis.Conn) error {
	if !c.greeted.Load() {
		if err := cn.Ping(ctx).Err(); err != nil {
			return dialFault(err.Error())
		}
	}
	if err := c.queueScripts(ctx, cn); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n") // the next lines may quote a script
		return dialFault(text)
	}
	c.greeted.Store(true)
	return nil
}

// loadScripts loads the scripts into a server that lost them (SCRIPT FLUSH).
func (c *Client) loadScripts(master redis.UniversalClient) {
	ctx, cancel := context.WithTimeout(background, c.config.Timeout)
	defer cancel()
	if err := c.queueScripts(ctx, master); err != nil {
		c.log.Warn("scripts cannot be loaded", "error", err.Error())
	}
}

// pipelined runs a pipeline: a client or one of its connections.
type pipelined interface {
	Pipelined(context.Context, func(redis.Pipeliner) error) ([]redis.Cmder, error)
}

func (c *Client) queueScripts(ctx context.Context, to pipelined) error {
	_, err := to.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, s := range slices.Concat(c.config.Scripts, scripts) {
			s.Load(ctx, scriptQueue{pipe})
		}
		return nil
	})
	return err
}

// scriptQueue is a pipeline for Script.Load. Script.Load uses the reply of its command as the
// script's hash, also while there is none.
type scriptQueue struct{ redis.Pipeliner }

var errQueued = errors.New("not sent yet")

func (q scriptQueue) ScriptLoad(ctx context.Context, source string) *redis.StringCmd {
	q.Pipeliner.ScriptLoad(ctx, source)
	waiting := redis.NewStringCmd(ctx)
	waiting.SetErr(errQueued)
	return waiting
}

// scripts are those of all packages, made at the start of the program.
var scripts []*redis.Script

// NewScript makes a script of a whole file; name is its path without ".lua". Every new
// connection loads it. Its contract stands at its head.
func NewScript(files embed.FS, name string) *redis.Script {
	text, err := files.ReadFile(name + ".lua")
	if err != nil {
		panic(err)
	}
	script := redis.NewScript(string(text))
	scripts = append(scripts, script)
	return script
}
