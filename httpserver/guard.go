package httpserver

import "cartd/commerce"

// guard is one question that a limited route asks before its handler runs. It
// needs no record. Nil: let the request pass.
type guard struct {
	name  string
	judge func(*route, *commerce.Admission) *commerce.Refusal
}

// guards in the order in which they answer. Spec: Authentication; Errors.
var guards = [...]guard{
	{"request limit", judgeLimit},
	{"api key", judgeKey},
	{"suspended store", judgeSuspension},
	{"module", judgeModule},
	{"scope", judgeScope},
	{"customer token", judgeToken},
}

// judge returns the first guard's refusal, or nil.
func judge(r *route, a *commerce.Admission) *commerce.Refusal {
	for i := range guards {
		if refusal := guards[i].judge(r, a); refusal != nil {
			return refusal
		}
	}
	return nil
}

// A suspended store gets the answer of its own guard, also beyond its limit.
func judgeLimit(r *route, a *commerce.Admission) *commerce.Refusal {
	if a.Budget.Granted || judgeKey(r, a) == nil && judgeSuspension(r, a) != nil {
		return nil
	}
	return commerce.TooManyAttempts
}

// Spec: API key 1.
func judgeKey(_ *route, a *commerce.Admission) *commerce.Refusal {
	if a.Key == nil || a.Store == nil || a.Key.Revoked {
		return commerce.Unauthenticated
	}
	return nil
}

// Spec: API key 5.
func judgeSuspension(_ *route, a *commerce.Admission) *commerce.Refusal {
	if a.Store.Suspended {
		return commerce.TenantSuspended
	}
	return nil
}

// Spec: API key 4.
func judgeModule(r *route, a *commerce.Admission) *commerce.Refusal {
	for _, module := range r.modules {
		if !a.Store.Modules.Has(module) {
			return commerce.ModuleDisabled(module)
		}
	}
	return nil
}

// Spec: API key 3.
func judgeScope(r *route, a *commerce.Admission) *commerce.Refusal {
	if a.Key.Scopes.Meets(r.scopes) {
		return nil
	}
	return commerce.InvalidAbility
}

// Spec: Customer token.
func judgeToken(r *route, a *commerce.Admission) *commerce.Refusal {
	if a.Visitor.Known {
		return nil
	}
	return r.token
}
