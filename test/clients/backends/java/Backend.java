import com.google.gson.*;
import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.Pattern;

/**
 * A merchant's backend by version 3 of WeChat Pay: Java's own library, and Gson. It places, settles, refunds, closes and
 * reconciles orders. Its orders are in memory; yours belong in a database.
 */
public class Backend {
  private static final String port = System.getenv("PORT");
  private static final String address = "http://127.0.0.1:" + port;
  private static final long askAfterMs = 2_000;
  private static final int longestBody = 65_536;
  private static final SecureRandom random = new SecureRandom();
  private static WechatPay pay;

  static class Refund {
    String number;
    int amount;
    String status = "REQUESTED";
    /** Whether its caller knows of it. */
    boolean isAnswered;
    String createdAt = "";
  }

  /** Its members change only while it is locked, and it is never locked during a call. */
  static class Order {
    String number;
    int amount;
    /** UNPAID, PAID, CLOSED or REFUNDED. */
    String status = "UNPAID";
    int settlements;
    String transaction = "";
    String paidAt = "";
    long placedAt;
    /** A person has to look at it: nothing settles it any more. */
    boolean isDoubtful;
    final List<Refund> refunds = new ArrayList<>();

    synchronized int sum(String status, boolean isCounted) {
      return refunds.stream().filter(one -> one.status.equals(status) == isCounted).mapToInt(one -> one.amount).sum();
    }

    synchronized JsonObject shown() {
      var refunded = sum("SUCCESS", true);
      return WechatPay.object(
          "number", number, "amount", amount, "status", status, "settlements", settlements, "refunded", refunded);
    }

    synchronized void expect(String expected) throws WechatPay.Refusal {
      if (!status.equals(expected)) throw new WechatPay.Refusal(409, "the order is " + status);
    }

    String path() {
      return "/v3/pay/transactions/out-trade-no/" + number;
    }
  }

  private static final Map<String, Order> orders = new ConcurrentHashMap<>();
  /** Orders that the platform may have taken, although no reply came. No buyer knows them, so the next one may have them. */
  private static final List<Order> unanswered = new ArrayList<>();

  static Order unansweredOf(int amount) {
    synchronized (unanswered) {
      var found = unanswered.stream().filter(one -> one.amount == amount).findFirst().orElse(null);
      unanswered.remove(found);
      return found;
    }
  }

  /** Also renews what the buyer needs to pay: the platform takes the same order again. */
  static JsonObject placeAtPlatform(Order order) throws WechatPay.Refusal {
    var reply = pay.post("/v3/pay/transactions/native", WechatPay.object(
        "appid", pay.appId, "mchid", pay.mchId, "description", "Tea", "out_trade_no", order.number,
        "notify_url", address + "/pay/notify",
        "amount", WechatPay.object("total", order.amount, "currency", "CNY")));
    var shown = order.shown();
    shown.add("code_url", reply.get("code_url"));
    return shown;
  }

  static JsonObject place(int amount) throws WechatPay.Refusal {
    var order = unansweredOf(amount);
    if (order == null) {
      order = new Order();
      order.number = String.format("SHOP%016x", random.nextLong());
      order.amount = amount;
    }
    try {
      var shown = placeAtPlatform(order);
      order.placedAt = System.currentTimeMillis();
      orders.put(order.number, order);
      return shown;
    } catch (WechatPay.Refusal refusal) {
      synchronized (unanswered) {
        unanswered.add(order);
      }
      throw refusal;
    }
  }

  static void compare(Order order, JsonObject said) throws WechatPay.Refusal {
    var owners = List.of("mchid", "appid", "out_trade_no").stream().map(name -> WechatPay.text(said, name)).toList();
    if (!owners.equals(List.of(pay.mchId, pay.appId, order.number)))
      throw new WechatPay.Refusal(403, "somebody else's payment");
    var amount = said.getAsJsonObject("amount");
    if (amount.get("total").getAsInt() == order.amount && WechatPay.text(amount, "currency").equals("CNY")) return;
    synchronized (order) {
      order.isDoubtful = true;
    }
    throw new WechatPay.Refusal(409, "another amount");
  }

  /** Asks the platform, and settles a paid order once. @throws Refusal if the state is unknown */
  static String settle(Order order, String transaction) throws WechatPay.Refusal {
    var found = pay.get(order.path() + "?mchid=" + pay.mchId);
    var state = WechatPay.text(found, "trade_state");
    if (state.equals("SUCCESS")) {
      compare(order, found);
      if (transaction != null && !transaction.equals(WechatPay.text(found, "transaction_id")))
        throw new WechatPay.Refusal(409, "another payment");
    }
    synchronized (order) {
      // Another copy may have settled it in the meantime.
      if (order.status.equals("PAID")) return state;
      if (state.equals("CLOSED") || state.equals("REVOKED")) order.status = "CLOSED";
      if (state.equals("REFUND")) order.status = "REFUNDED";
      if (!state.equals("SUCCESS")) return state;
      if (order.isDoubtful) throw new WechatPay.Refusal(409, "a person has to look at this order");
      order.status = "PAID";
      order.transaction = WechatPay.text(found, "transaction_id");
      order.paidAt = WechatPay.text(found, "success_time");
      order.settlements++;
      return state;
    }
  }

  static void takePayment(JsonObject said) throws WechatPay.Refusal {
    var order = orderOf(WechatPay.text(said, "out_trade_no"));
    var transaction = WechatPay.text(said, "transaction_id");
    compare(order, said);
    if (order.status.equals("PAID")) {
      if (!order.transaction.equals(transaction)) throw new WechatPay.Refusal(409, "another payment");
      return;
    }
    var state = settle(order, transaction);
    if (state.equals("NOTPAY") || state.equals("USERPAYING")) throw new WechatPay.Refusal(503, "not paid yet");
  }

  static JsonObject close(Order order) throws WechatPay.Refusal {
    order.expect("UNPAID");
    try {
      pay.post(order.path() + "/close", WechatPay.object("mchid", pay.mchId));
      synchronized (order) {
        order.status = "CLOSED";
      }
    } catch (WechatPay.Refusal refusal) {
      if (!refusal.code.equals("ORDERPAID")) throw refusal;
      settle(order, null);
    }
    return order.shown();
  }

  /** One number for each refund: a repeat after an error has the same. */
  static Refund refundOf(Order order, int amount) throws WechatPay.Refusal {
    synchronized (order) {
      for (var one : order.refunds)
        if (!one.isAnswered && one.amount == amount && !one.status.equals("CLOSED")) return one;
      if (order.sum("CLOSED", false) + amount > order.amount) throw new WechatPay.Refusal(409, "more than the order");
      var refund = new Refund();
      refund.number = order.number + "-" + (order.refunds.size() + 1);
      refund.amount = amount;
      order.refunds.add(refund);
      return refund;
    }
  }

  static JsonObject giveBack(Order order, int amount) throws WechatPay.Refusal {
    order.expect("PAID");
    var refund = refundOf(order, amount);
    note(order, refund, pay.post("/v3/refund/domestic/refunds", WechatPay.object(
        "out_trade_no", order.number, "out_refund_no", refund.number, "notify_url", address + "/pay/refund-notify",
        "amount", WechatPay.object("refund", amount, "total", order.amount, "currency", "CNY"))));
    refund.isAnswered = true;
    return WechatPay.object("number", refund.number, "amount", amount, "status", refund.status);
  }

  static void askRefund(Order order, Refund refund) throws WechatPay.Refusal {
    note(order, refund, pay.get("/v3/refund/domestic/refunds/" + refund.number));
  }

  /** A late reply must not replace the end of a refund. */
  static void note(Order order, Refund refund, JsonObject found) {
    synchronized (order) {
      var status = WechatPay.text(found, "status");
      if (status.equals("PROCESSING") && !refund.status.equals("REQUESTED")) return;
      refund.status = status;
      refund.createdAt = WechatPay.text(found, "create_time");
    }
  }

  static void takeRefund(JsonObject said) throws WechatPay.Refusal {
    var order = orderOf(WechatPay.text(said, "out_trade_no"));
    var amount = said.getAsJsonObject("amount").get("refund").getAsInt();
    for (var refund : refundsOf(order))
      if (refund.number.equals(WechatPay.text(said, "out_refund_no")) && refund.amount == amount
          && pay.mchId.equals(WechatPay.text(said, "mchid"))) {
        askRefund(order, refund);
        return;
      }
    throw new WechatPay.Refusal(404, "no such refund");
  }

  static List<Refund> refundsOf(Order order) {
    synchronized (order) {
      return List.copyOf(order.refunds);
    }
  }

  static List<String> reconcile(String date) throws Exception {
    var differences = new ArrayList<String>();
    var seen = new HashSet<String>();
    for (var line : pay.readBill(date)) {
      var isPayment = line.get("交易状态").equals("SUCCESS");
      var order = orders.getOrDefault(line.get("商户订单号"), new Order());
      seen.add(line.get(isPayment ? "商户订单号" : "商户退款单号"));
      var isSame = isPayment
          ? order.status.equals("PAID") && order.amount == WechatPay.fen(line.get("订单金额"))
              && order.transaction.equals(line.get("微信订单号"))
          : refundsOf(order).stream().anyMatch(one -> one.number.equals(line.get("商户退款单号"))
              && one.amount == WechatPay.fen(line.get("申请退款金额")));
      if (!isSame) differences.add(line.get("商户订单号") + ": the bill differs");
    }
    for (var order : orders.values()) {
      if (order.paidAt.startsWith(date) && !seen.contains(order.number))
        differences.add(order.number + ": not in the bill");
      for (var one : refundsOf(order))
        if (one.createdAt.startsWith(date) && !one.status.equals("CLOSED") && !seen.contains(one.number))
          differences.add(one.number + ": not in the bill");
    }
    return differences;
  }

  static Order orderOf(String number) throws WechatPay.Refusal {
    var order = orders.get(number);
    if (order == null) throw new WechatPay.Refusal(404, "no such order");
    return order;
  }

  static int amountOf(byte[] body) throws WechatPay.Refusal {
    var amount = WechatPay.parse(body).get("amount").getAsDouble();
    if (amount < 1 || amount != (int) amount) throw new WechatPay.Refusal(400, "amount: fen, a whole number");
    return (int) amount;
  }

  private static final Pattern ofOrder = Pattern.compile("^/orders/([^/]+)");

  /** @return what is sent as JSON; null: nothing */
  static JsonObject answer(HttpExchange exchange, byte[] body) throws Exception {
    var path = exchange.getRequestURI().getPath();
    var found = ofOrder.matcher(path);
    var number = found.find() ? found.group(1) : null;
    switch (exchange.getRequestMethod() + " " + found.replaceFirst("/orders/:number")) {
      case "POST /pay/notify":
        takePayment(pay.open(exchange.getRequestHeaders()::getFirst, body));
        return null;
      case "POST /pay/refund-notify":
        takeRefund(pay.open(exchange.getRequestHeaders()::getFirst, body));
        return null;
      case "POST /orders":
        return place(amountOf(body));
      case "GET /orders/:number":
        return orderOf(number).shown();
      case "POST /orders/:number/pay":
        orderOf(number).expect("UNPAID");
        return placeAtPlatform(orderOf(number));
      case "POST /orders/:number/close":
        return close(orderOf(number));
      case "POST /orders/:number/refunds":
        return giveBack(orderOf(number), amountOf(body));
      case "POST /reconcile":
        return WechatPay.object("differences", reconcile(WechatPay.text(WechatPay.parse(body), "date")));
      default:
        throw new WechatPay.Refusal(404, "nothing here");
    }
  }

  static void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var status = 200;
      JsonObject reply;
      try {
        var body = exchange.getRequestBody().readNBytes(longestBody + 1);
        if (body.length > longestBody) throw new WechatPay.Refusal(413, "too long");
        reply = answer(exchange, body);
      } catch (Exception failure) {
        // Any refusal: the platform sends a notification again later.
        status = failure instanceof WechatPay.Refusal refusal ? refusal.status : 500;
        reply = WechatPay.object("code", "FAIL", "message", status == 500 ? "cannot read it" : failure.getMessage());
      }
      var sent = reply == null ? new byte[0] : reply.toString().getBytes("UTF-8");
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(reply == null ? 204 : status, reply == null ? -1 : sent.length);
      exchange.getResponseBody().write(sent);
    }
  }

  interface Call {
    void run() throws Exception;
  }

  /** What fails is asked again. */
  static void attempt(ExecutorService threads, Call call) {
    threads.execute(() -> {
      try {
        call.run();
      } catch (Exception unknown) {
        return;
      }
    });
  }

  /** Asks for what no notification told. */
  static void ask(ExecutorService threads) {
    for (var order : orders.values()) {
      // Most notifications come at once.
      var isOld = System.currentTimeMillis() - order.placedAt > askAfterMs;
      if (order.status.equals("UNPAID") && !order.isDoubtful && isOld) attempt(threads, () -> settle(order, null));
      for (var refund : refundsOf(order))
        if (Set.of("REQUESTED", "PROCESSING").contains(refund.status))
          attempt(threads, () -> askRefund(order, refund));
    }
  }

  public static void main(String[] arguments) throws Exception {
    pay = new WechatPay(System.getenv("HEARTH_PROVIDER_URL"));
    var threads = Executors.newCachedThreadPool();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 0);
    server.createContext("/", Backend::handle);
    server.setExecutor(threads);
    server.start();
    Executors.newScheduledThreadPool(1)
        .scheduleAtFixedRate(() -> ask(threads), askAfterMs, askAfterMs / 2, TimeUnit.MILLISECONDS);
    System.out.println("listening");
  }
}
