// A merchant's backend by version 3 of WeChat Pay, with nothing but Go's own library. Its orders are in memory; yours belong
// in a database.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"
)

func orderOf(number string) (*Order, error) {
	lock.Lock()
	defer lock.Unlock()
	if order := orders[number]; order != nil {
		return order, nil
	}
	return nil, refusal{404, "no such order", ""}
}

func shown(order *Order) Order {
	lock.Lock()
	defer lock.Unlock()
	return *order
}

var ofOrder = regexp.MustCompile(`^/orders/([^/]+)`)

func answer(r *http.Request, body []byte) (int, any, error) {
	route := r.Method + " " + ofOrder.ReplaceAllString(r.URL.Path, "/orders/:number")
	switch route {
	case "POST /pay/notify":
		var said Payment
		if err := open(r.Header, body, &said); err != nil {
			return 0, nil, err
		}
		return 204, nil, takePayment(said)
	case "POST /pay/refund-notify":
		var said RefundNotice
		if err := open(r.Header, body, &said); err != nil {
			return 0, nil, err
		}
		return 204, nil, takeRefund(said)
	}
	var asked struct {
		Amount int    `json:"amount"`
		Date   string `json:"date"`
	}
	if len(body) > 0 && json.Unmarshal(body, &asked) != nil {
		return 0, nil, refusal{400, "cannot read it", ""}
	}
	switch route {
	case "POST /orders":
		order, err := place(asked.Amount)
		return 201, order, err
	case "POST /reconcile":
		differences, err := reconcile(asked.Date)
		return 200, object{"differences": differences}, err
	}
	found := ofOrder.FindStringSubmatch(r.URL.Path)
	if found == nil {
		return 0, nil, refusal{404, "nothing here", ""}
	}
	order, err := orderOf(found[1])
	if err != nil {
		return 0, nil, err
	}
	return answerOrder(strings.TrimPrefix(route, "POST /orders/:number/"), order, asked.Amount)
}

func answerOrder(action string, order *Order, amount int) (int, any, error) {
	before := shown(order)
	expected := map[string]string{"pay": "UNPAID", "close": "UNPAID", "refunds": "PAID"}[action]
	switch {
	case action == "GET /orders/:number":
		return 200, before, nil
	case expected == "":
		return 0, nil, refusal{404, "nothing here", ""}
	case before.Status != expected:
		return 0, nil, refusal{409, "the order is " + before.Status, ""}
	case action == "pay":
		codeURL, err := placeAtPlatform(order)
		before.CodeURL = codeURL
		return 200, before, err
	case action == "close":
		err := closeOrder(order)
		return 200, shown(order), err
	}
	refund, err := giveBack(order, amount)
	return 201, refund, err
}

func handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 65_536))
	status, reply := 413, any(nil)
	if err == nil {
		status, reply, err = answer(r, body)
	}
	// Any refusal: the platform sends a notification again later.
	if err != nil {
		if refused, ok := err.(refusal); ok {
			status = refused.status
		} else if status == 0 {
			status = 500
		}
		reply = object{"code": "FAIL", "message": err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != 204 {
		json.NewEncoder(w).Encode(reply)
	}
}

// Asks for what no notification told.
func ask() {
	lock.Lock()
	defer lock.Unlock()
	for _, order := range orders {
		// Most notifications come at once.
		if order.Status == "UNPAID" && !order.doubtful && time.Since(order.placedAt) > askAfter {
			go settle(order, "")
		}
		for _, refund := range order.refunds {
			if refund.Status == "REQUESTED" || refund.Status == "PROCESSING" {
				go askRefund(order, refund)
			}
		}
	}
}

func main() {
	readKeys()
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	go func() {
		for range time.Tick(askAfter / 2) {
			ask()
		}
	}()
	go http.Serve(listener, http.HandlerFunc(handle))
	fmt.Println("listening")
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
}
