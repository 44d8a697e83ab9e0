package persistence

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// An import that lives does so whatever becomes of others of its store: one that is refused
// meanwhile neither lets another store take its keys nor has an overtaken one overtake it.
func TestARefusedImportLeavesTheSignOfAnotherThatLives(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		first, second := wantsKey()
		theirs := shop{ID: testID(0x7), Name: "Third", Keys: []shopKey{apiKey("theirs")}}
		theirs.save(t, node(t, s))
		refused := first
		refused.Keys = theirs.Keys
		slow := node(t, s)
		var once sync.Once
		slow.main.Redis.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
			if strings.Contains(keyIn(cmd), ":store:") {
				once.Do(func() {
					if _, err := node(t, s).SaveStore(background, refused.document(t), true); !errors.Is(err, errKeyTaken) {
						t.Errorf("the refused import came to %v", err)
					}
					if lives, err := slow.importLives(background, shopID); !lives || err != nil {
						t.Errorf("the import under way lives: %v, %v", lives, err)
					}
					if _, err := node(t, s).SaveStore(background, second.document(t), true); !errors.Is(err, errKeyClaimed) {
						t.Errorf("an import with a key of the one under way came to %v, want it refused", err)
					}
				})
			}
			return next()
		}))
		if _, err := slow.SaveStore(background, first.document(t), true); err != nil {
			t.Errorf("the import under way came to %v", err)
		}
		if lives, err := slow.importLives(background, shopID); lives || err != nil {
			t.Errorf("when all have ended one lives: %v, %v", lives, err)
		}
	})
}

// An import of the release before kept its sign as a text, also for a while after it was
// killed.
func TestTheSignOfTheReleaseBeforeIsInNobodysWay(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		d := node(t, s)
		if err := d.main.Redis.Set(background, singleKey(shopID, "importing"), "its mark", d.importSilence).Err(); err != nil {
			t.Fatal(err)
		}
		first, _ := wantsKey()
		if _, err := d.SaveStore(background, first.document(t), true); err != nil {
			t.Errorf("the import came to %v", err)
		}
	})
}
