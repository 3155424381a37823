import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.*;
import java.nio.file.*;
import java.security.*;
import java.security.cert.*;
import java.security.spec.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.regex.*;

/**
 * A client of Alipay in the shape of its samples for Java, in certificate mode: it names the certificates, checks that the
 * root has signed Alipay's, and verifies replies and notifications by it.
 */
public class AlipayMerchant {
  static final Map<String, String> env = System.getenv();
  static X509Certificate alipay;

  static X509Certificate read(String name) throws Exception {
    var bytes = Files.readAllBytes(Path.of(env.get(name)));
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
  }

  static String serialOf(X509Certificate certificate) throws Exception {
    var name = certificate.getIssuerX500Principal().getName() + certificate.getSerialNumber();
    var digest = MessageDigest.getInstance("MD5").digest(name.getBytes(UTF_8));
    return String.format("%32s", new BigInteger(1, digest).toString(16)).replace(' ', '0');
  }

  static String sign(String content) throws Exception {
    var key = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(env.get("ALIPAY_PRIVATE_KEY")));
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(key));
    signature.update(content.getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  static boolean isSigned(String content, String sign) throws Exception {
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(alipay.getPublicKey());
    signature.update(content.getBytes(UTF_8));
    return signature.verify(Base64.getDecoder().decode(sign));
  }

  static String signContent(Map<String, String> params) {
    var pairs = new ArrayList<String>();
    new TreeMap<>(params).forEach((name, value) -> {
      if (!value.isEmpty()) pairs.add(name + "=" + value);
    });
    return String.join("&", pairs);
  }

  static String form(Map<String, String> params) {
    var pairs = new ArrayList<String>();
    params.forEach((name, value) -> pairs.add(name + "=" + URLEncoder.encode(value, UTF_8)));
    return String.join("&", pairs);
  }

  static String call(String method, String content, Map<String, String> more) throws Exception {
    var params = new HashMap<>(more);
    params.putAll(Map.of(
        "app_id", env.get("ALIPAY_APP_ID"), "method", method, "format", "json", "charset", "UTF-8",
        "sign_type", "RSA2", "version", "1.0",
        "timestamp", DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").format(LocalDateTime.now()),
        "app_cert_sn", serialOf(read("ALIPAY_APP_CERT")),
        "alipay_root_cert_sn", serialOf(read("ALIPAY_ROOT_CERT"))));
    var signed = new HashMap<>(params);
    signed.put("biz_content", content);
    params.put("sign", sign(signContent(signed)));
    var url = URI.create("https://openapi.alipay.com/gateway.do?" + form(params)).toURL();
    var connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8");
    connection.getOutputStream().write(form(Map.of("biz_content", content)).getBytes(UTF_8));
    var reply = new String(connection.getInputStream().readAllBytes(), UTF_8);
    var node = "\"" + method.replace(".", "_") + "_response\":";
    var start = reply.indexOf(node) + node.length();
    var text = reply.substring(start, reply.indexOf(",\"alipay_cert_sn\"", start));
    if (!field(reply, "alipay_cert_sn").equals(serialOf(alipay))) throw new Exception("another certificate: " + reply);
    if (!isSigned(text, field(reply, "sign")) || !field(text, "code").equals("10000")) throw new Exception(reply);
    return text;
  }

  static String field(String json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  static Map<String, String> fieldsOf(String form) {
    var fields = new HashMap<String, String>();
    for (var pair : form.split("&")) {
      var at = pair.indexOf('=');
      fields.put(URLDecoder.decode(pair.substring(0, at), UTF_8), URLDecoder.decode(pair.substring(at + 1), UTF_8));
    }
    return fields;
  }

  public static void main(String[] args) throws Exception {
    var root = read("ALIPAY_ROOT_CERT");
    alipay = read("ALIPAY_CERT");
    root.verify(root.getPublicKey());
    alipay.verify(root.getPublicKey());
    var notified = new CompletableFuture<String>();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", exchange -> {
      try (exchange) {
        var fields = fieldsOf(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        var sign = fields.remove("sign");
        fields.remove("sign_type");
        var genuine = isSigned(signContent(fields), sign);
        var answer = (genuine ? "success" : "failure").getBytes(UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        if (genuine) notified.complete(fields.get("trade_no"));
      } catch (Exception error) {
        throw new RuntimeException(error);
      }
    });
    server.start();
    var number = env.get("OUT_TRADE_NO");
    var order = String.format("{\"out_trade_no\":\"%s\",\"total_amount\":\"1.01\",\"subject\":\"一杯茶\"}", number);
    var url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    call("alipay.trade.precreate", order, Map.of("notify_url", url));
    var trade = notified.get();
    var state = field(call("alipay.trade.query", String.format("{\"out_trade_no\":\"%s\"}", number), Map.of()), "trade_status");
    var refund = String.format("{\"trade_no\":\"%s\",\"refund_amount\":\"0.41\",\"out_request_no\":\"1\"}", trade);
    call("alipay.trade.refund", refund, Map.of());
    var status = field(call("alipay.trade.fastpay.refund.query", refund, Map.of()), "refund_status");
    System.out.printf("{\"notified\":\"%s\",\"state\":\"%s\",\"refund\":\"%s\"}", trade, state, status);
    System.exit(0);
  }
}
