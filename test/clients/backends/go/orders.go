// What the shop does with its orders: it places, settles, refunds, closes and reconciles them.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// Refund is a part of an order that goes back to the buyer.
type Refund struct {
	Number    string `json:"number"`
	Amount    int    `json:"amount"` // fen
	Status    string `json:"status"` // REQUESTED, then the platform's
	answered  bool   // whether its caller knows of it
	createdAt string
}

// Order is what the buyer pays.
type Order struct {
	Number      string `json:"number"`
	Amount      int    `json:"amount"` // fen
	Status      string `json:"status"` // UNPAID, PAID, CLOSED or REFUNDED
	Settlements int    `json:"settlements"`
	Refunded    int    `json:"refunded"`
	CodeURL     string `json:"code_url,omitempty"`
	refunds     []*Refund
	transaction string
	paidAt      string
	placedAt    time.Time
	doubtful    bool // a person has to look at it: nothing settles it any more
}

const askAfter = 2 * time.Second

var (
	port    = os.Getenv("PORT")
	address = "http://127.0.0.1:" + port
	// Held for moments, never during a call.
	lock   sync.Mutex
	orders = map[string]*Order{}
	// Orders that the platform may have taken, although no reply came. No buyer knows them, so the next one may have them.
	unanswered []*Order
)

func orderPath(number string) string { return "/v3/pay/transactions/out-trade-no/" + number }

// Payments

// Also renews what the buyer needs to pay: the platform takes the same order again.
func placeAtPlatform(order *Order) (string, error) {
	var reply struct {
		CodeURL string `json:"code_url"`
	}
	err := call("POST", "/v3/pay/transactions/native", object{
		"appid": keys.AppID, "mchid": keys.MchID, "description": "Tea", "out_trade_no": order.Number,
		"notify_url": address + "/pay/notify", "amount": object{"total": order.Amount, "currency": "CNY"},
	}, &reply)
	return reply.CodeURL, err
}

func place(amount int) (*Order, error) {
	if amount < 1 {
		return nil, refusal{400, "amount: fen, a whole number", ""}
	}
	var order *Order
	lock.Lock()
	for at, one := range unanswered {
		if one.Amount == amount {
			order, unanswered = one, append(unanswered[:at:at], unanswered[at+1:]...)
			break
		}
	}
	lock.Unlock()
	if order == nil {
		random := make([]byte, 10)
		rand.Read(random)
		order = &Order{Number: "SHOP" + hex.EncodeToString(random), Amount: amount, Status: "UNPAID"}
	}
	codeURL, err := placeAtPlatform(order)
	lock.Lock()
	defer lock.Unlock()
	if err != nil {
		unanswered = append(unanswered, order)
		return nil, err
	}
	order.placedAt = time.Now()
	orders[order.Number] = order
	shown := *order
	shown.CodeURL = codeURL
	return &shown, nil
}

func compare(order *Order, said Payment) error {
	if said.MchID != keys.MchID || said.AppID != keys.AppID || said.OutTradeNo != order.Number {
		return refusal{403, "somebody else's payment", ""}
	}
	if said.Amount.Total != order.Amount || said.Amount.Currency != "CNY" {
		lock.Lock()
		order.doubtful = true
		lock.Unlock()
		return refusal{409, "another amount", ""}
	}
	return nil
}

// Asks the platform, and settles a paid order once. It returns an error if the state is unknown.
func settle(order *Order, transaction string) (string, error) {
	var found Payment
	if err := call("GET", orderPath(order.Number)+"?mchid="+keys.MchID, nil, &found); err != nil {
		return "", err
	}
	state := found.TradeState
	if state == "SUCCESS" {
		if err := compare(order, found); err != nil {
			return "", err
		}
		if transaction != "" && transaction != found.TransactionID {
			return "", refusal{409, "another payment", ""}
		}
	}
	lock.Lock()
	defer lock.Unlock()
	switch {
	case order.Status == "PAID": // Perhaps by another copy in the meantime.
	case state == "CLOSED" || state == "REVOKED":
		order.Status = "CLOSED"
	case state == "REFUND":
		order.Status = "REFUNDED"
	case state == "SUCCESS" && order.doubtful:
		return "", refusal{409, "a person has to look at this order", ""}
	case state == "SUCCESS":
		order.Status, order.transaction, order.paidAt = "PAID", found.TransactionID, found.SuccessTime
		order.Settlements++
	}
	return state, nil
}

func takePayment(said Payment) error {
	order, err := orderOf(said.OutTradeNo)
	if err == nil {
		err = compare(order, said)
	}
	if err != nil {
		return err
	}
	before := shown(order)
	if before.Status != "PAID" {
		state, err := settle(order, said.TransactionID)
		if err == nil && (state == "NOTPAY" || state == "USERPAYING") {
			err = refusal{503, "not paid yet", ""}
		}
		return err
	}
	if before.transaction != said.TransactionID {
		return refusal{409, "another payment", ""}
	}
	return nil
}

// What the platform has closed cannot be paid any more. A payment that came first counts.
func closeOrder(order *Order) error {
	err := call("POST", orderPath(order.Number)+"/close", object{"mchid": keys.MchID}, nil)
	if refused, ok := err.(refusal); ok && refused.code == "ORDERPAID" {
		_, err = settle(order, "")
		return err
	}
	if err == nil {
		lock.Lock()
		order.Status = "CLOSED"
		lock.Unlock()
	}
	return err
}

// Refunds

// One number for each refund: a repeat after an error has the same.
func refundOf(order *Order, amount int) (*Refund, error) {
	if amount < 1 {
		return nil, refusal{400, "amount: fen, a whole number", ""}
	}
	lock.Lock()
	defer lock.Unlock()
	returning := amount
	for _, one := range order.refunds {
		if one.Status == "CLOSED" {
			continue
		}
		if !one.answered && one.Amount == amount {
			return one, nil
		}
		returning += one.Amount
	}
	if returning > order.Amount {
		return nil, refusal{409, "more than the order", ""}
	}
	number := fmt.Sprintf("%s-%d", order.Number, len(order.refunds)+1)
	refund := &Refund{Number: number, Amount: amount, Status: "REQUESTED"}
	order.refunds = append(order.refunds, refund)
	return refund, nil
}

func giveBack(order *Order, amount int) (any, error) {
	refund, err := refundOf(order, amount)
	if err != nil {
		return nil, err
	}
	var found RefundState
	err = call("POST", "/v3/refund/domestic/refunds", object{
		"out_trade_no": order.Number, "out_refund_no": refund.Number, "notify_url": address + "/pay/refund-notify",
		"amount": object{"refund": amount, "total": order.Amount, "currency": "CNY"},
	}, &found)
	if err != nil {
		return nil, err
	}
	note(order, refund, found)
	lock.Lock()
	defer lock.Unlock()
	refund.answered = true
	return *refund, nil
}

func askRefund(order *Order, refund *Refund) error {
	var found RefundState
	err := call("GET", "/v3/refund/domestic/refunds/"+refund.Number, nil, &found)
	if err == nil {
		note(order, refund, found)
	}
	return err
}

// A late reply must not replace the end of a refund.
func note(order *Order, refund *Refund, found RefundState) {
	lock.Lock()
	defer lock.Unlock()
	if found.Status == "PROCESSING" && refund.Status != "REQUESTED" {
		return
	}
	refund.Status, refund.createdAt, order.Refunded = found.Status, found.CreateTime, 0
	for _, one := range order.refunds {
		if one.Status == "SUCCESS" {
			order.Refunded += one.Amount
		}
	}
}

func takeRefund(said RefundNotice) error {
	order, err := orderOf(said.OutTradeNo)
	if err != nil {
		return err
	}
	for _, refund := range shown(order).refunds {
		if refund.Number == said.OutRefundNo && refund.Amount == said.Amount.Refund && said.MchID == keys.MchID {
			return askRefund(order, refund)
		}
	}
	return refusal{404, "no such refund", ""}
}

// The bill

func reconcile(date string) ([]object, error) {
	lines, err := readBill(date)
	if err != nil {
		return nil, err
	}
	lock.Lock()
	defer lock.Unlock()
	differences, seen := []object{}, map[string]bool{}
	for _, line := range lines {
		order := orders[line["商户订单号"]]
		isSame := false
		if line["交易状态"] == "SUCCESS" {
			seen[line["商户订单号"]] = true
			isSame = order != nil && order.Status == "PAID" &&
				order.Amount == fen(line["订单金额"]) && order.transaction == line["微信订单号"]
		} else if order != nil {
			seen[line["商户退款单号"]] = true
			for _, one := range order.refunds {
				isSame = isSame || one.Number == line["商户退款单号"] && one.Amount == fen(line["申请退款金额"])
			}
		}
		if !isSame {
			differences = append(differences, object{"number": line["商户订单号"], "why": "the bill differs"})
		}
	}
	miss := func(number, at string) {
		if strings.HasPrefix(at, date) && !seen[number] {
			differences = append(differences, object{"number": number, "why": "not in the bill"})
		}
	}
	for _, order := range orders {
		miss(order.Number, order.paidAt)
		for _, one := range order.refunds {
			if one.Status != "CLOSED" {
				miss(one.Number, one.createdAt)
			}
		}
	}
	return differences, nil
}
