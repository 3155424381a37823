import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.*;
import java.nio.file.*;
import java.security.*;
import java.security.spec.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.regex.*;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/**
 * A client by version 3, with nothing but Java's own library. It reads reply headers by the case that the platform
 * writes, as wechatpay-java does, and takes the platform key that Wechatpay-Serial names.
 */
public class Merchant {
  static final Map<String, String> env = System.getenv();
  static final String api = env.getOrDefault("API", "https://api.mch.weixin.qq.com");
  /** Sent as Wechatpay-Serial, by which replies have to be signed then. */
  static final String named = env.get("NAMED_KEY");
  static final Map<String, PublicKey> platform = new HashMap<>();

  static Signature rsa() throws Exception {
    return Signature.getInstance("SHA256withRSA");
  }

  static String sign(String message) throws Exception {
    var pem = Files.readString(Path.of(env.get("MERCHANT_KEY"))).replaceAll("-----[^-]+-----|\\s", "");
    var signature = rsa();
    signature.initSign(
        KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))));
    signature.update(message.getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  static String call(String method, String path, String body, int status) throws Exception {
    var timestamp = Long.toString(System.currentTimeMillis() / 1000);
    var nonce = UUID.randomUUID().toString().replace("-", "");
    var signature = sign(String.join("\n", method, path, timestamp, nonce, body) + "\n");
    var authorization = String.format(
        "WECHATPAY2-SHA256-RSA2048 mchid=\"%s\",nonce_str=\"%s\",timestamp=\"%s\",serial_no=\"%s\",signature=\"%s\"",
        env.get("MCH_ID"), nonce, timestamp, env.get("MERCHANT_SERIAL"), signature);
    // Unlike the newer client, this one keeps the case of names.
    var connection = (HttpURLConnection) URI.create(api + path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setRequestProperty("Authorization", authorization);
    connection.setRequestProperty("Accept", "application/json");
    connection.setRequestProperty("Content-Type", "application/json");
    if (named != null) connection.setRequestProperty("Wechatpay-Serial", named);
    if (!body.isEmpty()) {
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(UTF_8));
    }
    var answered = connection.getResponseCode();
    var headers = new HashMap<>(connection.getHeaderFields());
    UnaryOperator<String> header = name -> headers.getOrDefault(name, List.of("")).get(0);
    var stream = answered < 400 ? connection.getInputStream() : connection.getErrorStream();
    var answer = new String(stream.readAllBytes(), UTF_8);
    if (answered != status || !isGenuine(header, answer))
      throw new IllegalStateException(path + ": " + answered + " " + headers + " " + answer);
    if (named != null && !header.apply("Wechatpay-Serial").equals(named))
      throw new IllegalStateException(path + " is signed by " + header.apply("Wechatpay-Serial"));
    return answer;
  }

  /** A text of a JSON object whose texts hold no quotes. */
  static String member(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalArgumentException(name + " is missing: " + json);
    return found.group(1).replace("\\n", "\n");
  }

  static String unseal(String sealed) throws Exception {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(env.get("API_V3_KEY").getBytes(UTF_8), "AES"),
        new GCMParameterSpec(128, member(sealed, "nonce").getBytes(UTF_8)));
    cipher.updateAAD(member(sealed, "associated_data").getBytes(UTF_8));
    return new String(cipher.doFinal(Base64.getDecoder().decode(member(sealed, "ciphertext"))), UTF_8);
  }

  static boolean isGenuine(UnaryOperator<String> header, String body) throws Exception {
    var key = platform.get(header.apply("Wechatpay-Serial"));
    if (key == null || !header.apply("Wechatpay-Signature-Type").equals("WECHATPAY2-SHA256-RSA2048")) return false;
    var verifier = rsa();
    verifier.initVerify(key);
    verifier.update(
        (header.apply("Wechatpay-Timestamp") + "\n" + header.apply("Wechatpay-Nonce") + "\n" + body + "\n").getBytes(UTF_8));
    return verifier.verify(Base64.getDecoder().decode(header.apply("Wechatpay-Signature")));
  }

  static String order(String number, int port) {
    return String.format(
        "{\"appid\":\"%s\",\"mchid\":\"%s\",\"out_trade_no\":\"%s\",\"description\":\"Tea\",\"notify_url\":\"http://127.0.0.1:%d/\",\"amount\":{\"total\":101}}",
        env.get("APP_ID"), env.get("MCH_ID"), number, port);
  }

  static void live() throws Exception {
    for (var entry : env.get("PLATFORM_KEYS").split(" ")) {
      var parts = entry.split(":");
      var key = new X509EncodedKeySpec(Base64.getDecoder().decode(parts[1]));
      platform.put(parts[0], KeyFactory.getInstance("RSA").generatePublic(key));
    }
    var number = env.get("OUT_TRADE_NO");
    var notified = new CompletableFuture<String>();
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> {
      try (exchange) {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Headers headers = exchange.getRequestHeaders();
        var genuine = isGenuine(headers::getFirst, body);
        exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
        if (genuine) notified.complete(member(unseal(body), "transaction_id"));
      } catch (Exception failure) {
        // A delivery that was cut off before it was answered comes again.
        failure.printStackTrace();
      }
    });
    // A delivery that is cut off must not keep the next one waiting.
    receiver.setExecutor(Executors.newCachedThreadPool());
    receiver.start();
    var port = receiver.getAddress().getPort();
    var orders = "/v3/pay/transactions/out-trade-no/";
    var merchant = "?mchid=" + env.get("MCH_ID");
    call("GET", orders + "NONE-" + number + merchant, "", 404);
    call("POST", "/v3/pay/transactions/native", order("C-" + number, port), 200);
    call("POST", orders + "C-" + number + "/close", "{\"mchid\":\"" + env.get("MCH_ID") + "\"}", 204);
    call("POST", "/v3/pay/transactions/native", order(number, port), 200);
    var transaction = notified.get();
    var order = call("GET", orders + number + merchant, "", 200);
    var refunds = "/v3/refund/domestic/refunds";
    call("POST", refunds, String.format(
        "{\"out_trade_no\":\"%s\",\"out_refund_no\":\"R-%s\",\"amount\":{\"total\":101,\"refund\":41,\"currency\":\"CNY\"}}",
        number, number), 200);
    var refund = call("GET", refunds + "/R-" + number, "", 200);
    System.out.printf(
        "{\"notified\":\"%s\",\"state\":\"%s\",\"refund\":\"%s\"}",
        transaction, member(order, "trade_state"), member(refund, "status"));
  }

  public static void main(String[] arguments) {
    try {
      live();
      System.exit(0);
    } catch (Exception failure) {
      // The receiver's threads would keep the program alive.
      failure.printStackTrace();
      System.exit(1);
    }
  }
}
