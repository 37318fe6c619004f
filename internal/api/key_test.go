package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talonlottery/talon/internal/api"
	"github.com/talonlottery/talon/internal/sale"
)

func post(key, body string) call {
	return call{method: "POST", path: "/plays", key: key, body: body}
}

// The first two of the four cases of a key: none, and one that is none.
func TestKeysThatAreNone(t *testing.T) {
	h := open(t, true)
	p := h.ask(post("", order(moons, "0.50", ""))).refused(http.StatusBadRequest, "idempotency_key_missing")
	if p.Detail != "Idempotency-Key" || p.Next == "" {
		t.Errorf("%+v", p)
	}
	for _, key := range []string{"a b", strings.Repeat("k", 65), "clé", "tab\tbed"} {
		if p := h.ask(post(key, order(moons, "0.50", ""))).refused(http.StatusBadRequest, "key_malformed"); p.Detail != "Idempotency-Key" || p.Next == "" {
			t.Errorf("%q: %+v", key, p)
		}
	}
	for name, values := range map[string][]string{"empty": {""}, "two": {"a", "b"}} {
		request := post("", order(moons, "0.50", "")).request()
		request.Header["Idempotency-Key"] = values
		recorder := httptest.NewRecorder()
		h.handler.ServeHTTP(recorder, request)
		if err := h.contract.breach("POST", "/api/v1/plays", recorder.Code, recorder.Header(), recorder.Body.Bytes()); err != nil || recorder.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d: %v", name, recorder.Code, err)
		}
	}
	if sold := h.sold(moons); sold != 0 {
		t.Errorf("%d units were sold", sold)
	}
	h.buy(0, strings.Repeat("k", 64), moons, "0.50", "")
	h.buy(1, "!~", moons, "0.50", "")
}

// The third case: the same key for something else.
func TestAKeyOfAnotherBody(t *testing.T) {
	h := open(t, true)
	h.show(0, h.buy(0, "k", moons, "0.50", ""))
	for _, body := range []string{order(moons, "1.00", ""), order(winds, "1.00", "")} {
		if p := h.ask(post("k", body)).refused(http.StatusUnprocessableEntity, "idempotency_key_reused"); p.Next == "" {
			t.Errorf("%+v", p)
		}
	}
	if moonsSold, windsSold := h.sold(moons), h.sold(winds); moonsSold != 1 || windsSold != 0 {
		t.Errorf("%d and %d units were sold", moonsSold, windsSold)
	}
	// Whose key it is matters: another player's is another.
	h.buy(1, "k", winds, "1.00", "")
	// A refusal binds no key: the key that was refused for another body buys under its own.
	h.ask(post("free", order(moons, "3.00", ""))).refused(http.StatusBadRequest, "stake_unknown")
	h.buy(0, "free", moons, "1.00", "")
}

// The fourth case: the same key and body is the same play, also when an amount is written otherwise,
// when it says what was seen, and after a restart.
func TestTheSameKeyAgain(t *testing.T) {
	h := open(t, true)
	first := h.ask(post("k", order(moons, "1.00", "")))
	bought := read[api.Play](first, http.StatusCreated)
	for _, body := range []string{order(moons, "1.00", ""), order(moons, "1.0000", ""), order(moons, "1.00", bought.Id)} {
		again := h.ask(post("k", body))
		if again.status != http.StatusOK || string(again.body) != string(first.body) {
			t.Errorf("%s: status %d: %s", body, again.status, again.body)
		}
	}
	h.stop()
	h.start()
	if again := h.ask(post("k", order(moons, "1.00", ""))); again.status != http.StatusOK || string(again.body) != string(first.body) {
		t.Errorf("after a restart: status %d: %s", again.status, again.body)
	}
	h.ask(post("k", order(moons, "0.50", ""))).refused(http.StatusUnprocessableEntity, "idempotency_key_reused")
	// Later it is still the same play, told as it then is.
	shown := h.show(0, bought)
	if again := read[api.Play](h.ask(post("k", order(moons, "1.00", ""))), http.StatusOK); !cmp.Equal(again, shown) {
		t.Errorf("after it was shown: %+v", again)
	}
	if sold := h.sold(moons); sold != 1 {
		t.Errorf("%d units were sold", sold)
	}
}

// several asks at once with one key and says what is wrong, or nothing.
func (h *house) several(key string, times int) error {
	before := h.sold(moons)
	answers := make([]*httptest.ResponseRecorder, times)
	var asking sync.WaitGroup
	for at := range times {
		asking.Go(func() {
			answers[at] = httptest.NewRecorder()
			h.handler.ServeHTTP(answers[at], post(key, order(moons, "0.50", "")).request())
		})
	}
	asking.Wait()
	created, bodies := 0, make(map[string]bool)
	for _, a := range answers {
		switch a.Code {
		case http.StatusCreated:
			created++
		case http.StatusOK:
		default:
			return fmt.Errorf("status %d: %s", a.Code, a.Body)
		}
		bodies[a.Body.String()] = true
	}
	if sold := h.sold(moons) - before; created != 1 || len(bodies) != 1 || sold != 1 {
		return fmt.Errorf("%d were told that they bought, %d different plays, %d units sold", created, len(bodies), sold)
	}
	return nil
}

func TestTheSameKeyAtOnce(t *testing.T) {
	h := open(t, true)
	if err := h.several("k", 8); err != nil {
		t.Error(err)
	}
}

// forgetful is the twin: a seller that takes each request for a new one.
type forgetful struct {
	api.Seller
	asked atomic.Int64
}

func (f *forgetful) Sell(ctx context.Context, r sale.Request) (sale.Receipt, error) {
	r.Key += fmt.Sprint("-", f.asked.Add(1))
	return f.Seller.Sell(ctx, r)
}

func TestASellerThatForgetsIsCaught(t *testing.T) {
	h := open(t, true)
	h.config.Seller = &forgetful{Seller: h.seller}
	h.handler = api.New(h.config)
	if h.several("k", 3) == nil {
		t.Error("nobody noticed that one key bought several units")
	}
}
