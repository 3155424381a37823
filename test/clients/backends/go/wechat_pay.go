// The API of WeChat Pay, version 3: signed calls, verified replies and notifications, and the bill of a day.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

type object map[string]any

// Payment is an order as the platform tells of it, in a reply or a notification.
type Payment struct {
	AppID         string `json:"appid"`
	MchID         string `json:"mchid"`
	OutTradeNo    string `json:"out_trade_no"`
	TransactionID string `json:"transaction_id"`
	TradeState    string `json:"trade_state"`
	SuccessTime   string `json:"success_time"`
	Amount        struct {
		Total    int    `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

// RefundState is a refund as a reply tells of it.
type RefundState struct {
	Status     string `json:"status"`
	CreateTime string `json:"create_time"`
}

// RefundNotice is a refund as a notification tells of it.
type RefundNotice struct {
	MchID       string `json:"mchid"`
	OutTradeNo  string `json:"out_trade_no"`
	OutRefundNo string `json:"out_refund_no"`
	Amount      struct {
		Refund int `json:"refund"`
	} `json:"amount"`
}

// A status for the caller, and the platform's code. Without a code nobody knows what the platform did.
type refusal struct {
	status  int
	message string
	code    string
}

func (r refusal) Error() string { return r.message }

const maxAge = 5 * time.Minute

var (
	platform = os.Getenv("HEARTH_PROVIDER_URL")
	client   = http.Client{Timeout: 3 * time.Second}
	keys     struct {
		AppID       string `json:"app_id"`
		MchID       string `json:"mch_id"`
		APIV3Key    string `json:"api_v3_key"`
		Serial      string `json:"merchant_serial"`
		PrivateKey  string `json:"merchant_private_key"`
		PlatSerial  string `json:"platform_serial"`
		Certificate string `json:"platform_certificate"`
		PublicKeyID string `json:"platform_public_key_id"`
		PublicKey   string `json:"platform_public_key"`
	}
	ownKey *rsa.PrivateKey
	// By serial. While a merchant switches to the platform's public key, either may sign.
	platformKeys = map[string]*rsa.PublicKey{}
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func der(text string) []byte {
	block, _ := pem.Decode([]byte(text))
	return block.Bytes
}

// With the real platform these are your own merchant's keys.
func readKeys() {
	response := must(http.Get(platform + "/sim/credentials"))
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&keys); err != nil {
		panic(err)
	}
	ownKey = must(x509.ParsePKCS8PrivateKey(der(keys.PrivateKey))).(*rsa.PrivateKey)
	platformKeys[keys.PlatSerial] = must(x509.ParseCertificate(der(keys.Certificate))).PublicKey.(*rsa.PublicKey)
	if keys.PublicKey != "" {
		platformKeys[keys.PublicKeyID] = must(x509.ParsePKIXPublicKey(der(keys.PublicKey))).(*rsa.PublicKey)
	}
}

func authorization(method, target string, body []byte) string {
	random := make([]byte, 16)
	rand.Read(random)
	stamp, nonce := time.Now().Unix(), hex.EncodeToString(random)
	digest := sha256.Sum256([]byte(fmt.Sprintf("%s\n%s\n%d\n%s\n%s\n", method, target, stamp, nonce, body)))
	signature := must(rsa.SignPKCS1v15(rand.Reader, ownKey, crypto.SHA256, digest[:]))
	return fmt.Sprintf(
		`WECHATPAY2-SHA256-RSA2048 mchid="%s",nonce_str="%s",timestamp="%d",serial_no="%s",signature="%s"`,
		keys.MchID, nonce, stamp, keys.Serial, base64.StdEncoding.EncodeToString(signature))
}

// Whether the platform signed the body a short time ago.
func isGenuine(header http.Header, body []byte) bool {
	key := platformKeys[header.Get("Wechatpay-Serial")]
	stamp := header.Get("Wechatpay-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if key == nil || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	signature, err := base64.StdEncoding.DecodeString(header.Get("Wechatpay-Signature"))
	digest := sha256.Sum256([]byte(fmt.Sprintf("%s\n%s\n%s\n", stamp, header.Get("Wechatpay-Nonce"), body)))
	return err == nil && rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) == nil
}

func send(method, target string, body []byte) (*http.Response, []byte, error) {
	request, err := http.NewRequest(method, platform+target, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", authorization(method, target, body))
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response, content, err
}

// It returns a refusal with the platform's code, or without one where nobody knows what the platform did.
func call(method, target string, content object, reply any) error {
	var body []byte
	if content != nil {
		body = must(json.Marshal(content))
	}
	response, answered, err := send(method, target, body)
	if err != nil {
		return refusal{502, "the platform did not answer", ""}
	}
	if !isGenuine(response.Header, answered) {
		return refusal{502, "a reply without a signature", ""}
	}
	if response.StatusCode >= 300 {
		var refused struct{ Code string }
		json.Unmarshal(answered, &refused)
		return refusal{502, "the platform refused: " + refused.Code, refused.Code}
	}
	if reply == nil {
		return nil
	}
	return json.Unmarshal(answered, reply)
}

// Verifies and decrypts a notification.
func open(header http.Header, body []byte, said any) error {
	if !isGenuine(header, body) {
		return refusal{401, "not the platform's", ""}
	}
	var notification struct {
		Resource struct {
			Ciphertext     []byte `json:"ciphertext"`
			Nonce          string `json:"nonce"`
			AssociatedData string `json:"associated_data"`
		} `json:"resource"`
	}
	if err := json.Unmarshal(body, &notification); err != nil {
		return err
	}
	sealed := notification.Resource
	gcm := must(cipher.NewGCM(must(aes.NewCipher([]byte(keys.APIV3Key)))))
	if len(sealed.Nonce) != gcm.NonceSize() {
		return refusal{400, "cannot read it", ""}
	}
	opened, err := gcm.Open(nil, []byte(sealed.Nonce), sealed.Ciphertext, []byte(sealed.AssociatedData))
	if err != nil {
		return err
	}
	return json.Unmarshal(opened, said)
}

// The lines of a day's bill, by the names of their columns.
func readBill(date string) ([]map[string]string, error) {
	var bill struct {
		URL  string `json:"download_url"`
		Hash string `json:"hash_value"`
	}
	target := "/v3/bill/tradebill?bill_date=" + url.QueryEscape(date) + "&bill_type=ALL&tar_type=GZIP"
	err := call("GET", target, nil, &bill)
	if refused, ok := err.(refusal); ok && refused.code == "NO_STATEMENT_EXIST" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, packed, err := send("GET", strings.TrimPrefix(bill.URL, platform), nil)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil || fmt.Sprintf("%x", sha1.Sum(text)) != bill.Hash {
		return nil, refusal{502, "a damaged bill", ""}
	}
	rows := strings.Split(strings.TrimPrefix(string(text), "\uFEFF"), "\r\n")
	names, lines := strings.Split(rows[0], ","), []map[string]string{}
	for _, row := range rows[1:] {
		// The sums follow the lines, under a head of their own.
		if !strings.HasPrefix(row, "`") {
			break
		}
		line := map[string]string{}
		for at, cell := range strings.Split(row[1:], ",`") {
			line[names[at]] = cell
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func fen(yuan string) int {
	value, _ := strconv.ParseFloat(yuan, 64)
	return int(math.Round(value * 100))
}
