import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.*;
import java.security.cert.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.regex.*;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/** A client by version 3, with nothing but Java's own library. */
public class Merchant {
  static final Map<String, String> env = System.getenv();
  static final HttpClient client = HttpClient.newHttpClient();

  static Signature rsa() throws Exception {
    return Signature.getInstance("SHA256withRSA");
  }

  static String sign(String message) throws Exception {
    var pem = Files.readString(Path.of(env.get("MERCHANT_KEY"))).replaceAll("-----[^-]+-----|\\s", "");
    var signature = rsa();
    signature.initSign(
        KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))));
    signature.update(message.getBytes());
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  static String call(String method, String path, String body) throws Exception {
    var timestamp = Long.toString(System.currentTimeMillis() / 1000);
    var nonce = UUID.randomUUID().toString().replace("-", "");
    var signature = sign(String.join("\n", method, path, timestamp, nonce, body) + "\n");
    var authorization = String.format(
        "WECHATPAY2-SHA256-RSA2048 mchid=\"%s\",nonce_str=\"%s\",timestamp=\"%s\",serial_no=\"%s\",signature=\"%s\"",
        env.get("MCH_ID"), nonce, timestamp, env.get("MERCHANT_SERIAL"), signature);
    var request = HttpRequest.newBuilder(URI.create("https://api.mch.weixin.qq.com" + path))
        .header("Authorization", authorization)
        .header("Accept", "application/json")
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(body))
        .build();
    var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (reply.statusCode() != 200) throw new IllegalStateException(path + ": " + reply.body());
    return reply.body();
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
        new SecretKeySpec(env.get("API_V3_KEY").getBytes(), "AES"),
        new GCMParameterSpec(128, member(sealed, "nonce").getBytes()));
    cipher.updateAAD(member(sealed, "associated_data").getBytes());
    return new String(cipher.doFinal(Base64.getDecoder().decode(member(sealed, "ciphertext"))));
  }

  static boolean isGenuine(Headers headers, String body, java.security.cert.Certificate platform) throws Exception {
    var verifier = rsa();
    verifier.initVerify(platform);
    verifier.update(
        (headers.getFirst("Wechatpay-Timestamp") + "\n" + headers.getFirst("Wechatpay-Nonce") + "\n" + body + "\n")
            .getBytes());
    return verifier.verify(Base64.getDecoder().decode(headers.getFirst("Wechatpay-Signature")));
  }

  public static void main(String[] arguments) throws Exception {
    var number = env.get("OUT_TRADE_NO");
    var pem = unseal(call("GET", "/v3/certificates", ""));
    var platform = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem.getBytes()));
    var notified = new CompletableFuture<String>();
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> {
      try {
        var body = new String(exchange.getRequestBody().readAllBytes());
        var genuine = isGenuine(exchange.getRequestHeaders(), body, platform);
        exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
        exchange.close();
        if (genuine) notified.complete(member(unseal(body), "transaction_id"));
      } catch (Exception failure) {
        notified.completeExceptionally(failure);
      }
    });
    // A delivery that is cut off must not keep the next one waiting.
    receiver.setExecutor(Executors.newCachedThreadPool());
    receiver.start();
    call("POST", "/v3/pay/transactions/native", String.format(
        "{\"appid\":\"%s\",\"mchid\":\"%s\",\"out_trade_no\":\"%s\",\"description\":\"Tea\",\"notify_url\":\"http://127.0.0.1:%d/\",\"amount\":{\"total\":101}}",
        env.get("APP_ID"), env.get("MCH_ID"), number, receiver.getAddress().getPort()));
    var transaction = notified.get();
    var order = call("GET", "/v3/pay/transactions/out-trade-no/" + number + "?mchid=" + env.get("MCH_ID"), "");
    var refunds = "/v3/refund/domestic/refunds";
    call("POST", refunds, String.format(
        "{\"out_trade_no\":\"%s\",\"out_refund_no\":\"R-%s\",\"amount\":{\"total\":101,\"refund\":41,\"currency\":\"CNY\"}}",
        number, number));
    var refund = call("GET", refunds + "/R-" + number, "");
    System.out.printf(
        "{\"notified\":\"%s\",\"state\":\"%s\",\"refund\":\"%s\"}",
        transaction, member(order, "trade_state"), member(refund, "status"));
    System.exit(0);
  }
}
