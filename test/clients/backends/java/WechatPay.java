import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.*;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.*;
import java.security.cert.CertificateFactory;
import java.security.spec.*;
import java.time.*;
import java.util.*;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/** The API of WeChat Pay, version 3: signed calls, verified replies and notifications, and the bill of a day. */
class WechatPay {
  /** A status for the caller, and the platform's code. Without a code nobody knows what the platform did. */
  static class Refusal extends Exception {
    final int status;
    final String code;

    Refusal(int status, String message, String code) {
      super(message);
      this.status = status;
      this.code = code;
    }

    Refusal(int status, String message) {
      this(status, message, "");
    }
  }

  private static final Duration callTimeout = Duration.ofSeconds(3);
  private static final Duration maxAge = Duration.ofMinutes(5);
  private final String platform;
  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonObject keys;
  private final PrivateKey ownKey;
  /** By serial. While a merchant switches to the platform's public key, either may sign. */
  private final Map<String, PublicKey> platformKeys = new HashMap<>();
  final String appId;
  final String mchId;

  WechatPay(String platform) throws Exception {
    this.platform = platform;
    // With the real platform these are your own merchant's keys.
    var request = HttpRequest.newBuilder(URI.create(platform + "/sim/credentials")).build();
    keys = parse(client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
    appId = text(keys, "app_id");
    mchId = text(keys, "mch_id");
    var factory = KeyFactory.getInstance("RSA");
    ownKey = factory.generatePrivate(new PKCS8EncodedKeySpec(der("merchant_private_key")));
    var certificate = new ByteArrayInputStream(der("platform_certificate"));
    var publicKey = CertificateFactory.getInstance("X.509").generateCertificate(certificate).getPublicKey();
    platformKeys.put(text(keys, "platform_serial"), publicKey);
    if (keys.has("platform_public_key"))
      platformKeys.put(
          text(keys, "platform_public_key_id"),
          factory.generatePublic(new X509EncodedKeySpec(der("platform_public_key"))));
  }

  static JsonObject parse(byte[] body) {
    return JsonParser.parseString(new String(body, UTF_8)).getAsJsonObject();
  }

  static String text(JsonObject object, String name) {
    return object.get(name).getAsString();
  }

  /** @param content names and values, in turn */
  static JsonObject object(Object... content) {
    var made = new JsonObject();
    for (int at = 0; at < content.length; at += 2) made.add((String) content[at], new Gson().toJsonTree(content[at + 1]));
    return made;
  }

  private byte[] der(String name) {
    return Base64.getDecoder().decode(text(keys, name).replaceAll("-----[^-]+-----|\\s", ""));
  }

  private String authorization(String method, String target, String body) throws GeneralSecurityException {
    var timestamp = Instant.now().getEpochSecond();
    var nonce = UUID.randomUUID().toString().replace("-", "");
    var signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(ownKey);
    signer.update((method + "\n" + target + "\n" + timestamp + "\n" + nonce + "\n" + body + "\n").getBytes(UTF_8));
    return String.format(
        "WECHATPAY2-SHA256-RSA2048 mchid=\"%s\",nonce_str=\"%s\",timestamp=\"%d\",serial_no=\"%s\",signature=\"%s\"",
        mchId, nonce, timestamp, text(keys, "merchant_serial"), Base64.getEncoder().encodeToString(signer.sign()));
  }

  /** Whether the platform signed the body a short time ago. */
  private boolean isGenuine(Function<String, String> header, byte[] body) {
    try {
      var timestamp = header.apply("Wechatpay-Timestamp");
      var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now()).abs();
      if (age.compareTo(maxAge) > 0) return false;
      var verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(platformKeys.get(header.apply("Wechatpay-Serial")));
      verifier.update((timestamp + "\n" + header.apply("Wechatpay-Nonce") + "\n").getBytes(UTF_8));
      verifier.update(body);
      verifier.update((byte) '\n');
      return verifier.verify(Base64.getDecoder().decode(header.apply("Wechatpay-Signature")));
    } catch (GeneralSecurityException | RuntimeException missing) {
      return false;
    }
  }

  private HttpResponse<byte[]> send(String method, String target, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(platform + target))
        .timeout(callTimeout)
        .header("Authorization", authorization(method, target, body))
        .header("Accept", "application/json")
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofString(body))
        .build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /** @throws Refusal with the platform's code, or without one where nobody knows what the platform did */
  private JsonObject call(String method, String target, String body) throws Refusal {
    HttpResponse<byte[]> reply;
    try {
      reply = send(method, target, body);
    } catch (Exception failure) {
      throw new Refusal(502, "the platform did not answer");
    }
    if (!isGenuine(name -> reply.headers().firstValue(name).orElse(""), reply.body()))
      throw new Refusal(502, "a reply without a signature");
    if (reply.statusCode() >= 300) {
      var code = text(parse(reply.body()), "code");
      throw new Refusal(502, "the platform refused: " + code, code);
    }
    return reply.body().length == 0 ? new JsonObject() : parse(reply.body());
  }

  JsonObject get(String target) throws Refusal {
    return call("GET", target, "");
  }

  JsonObject post(String target, JsonObject content) throws Refusal {
    return call("POST", target, content.toString());
  }

  /** @return what the platform says in a notification. @throws Refusal if it is not the platform's */
  JsonObject open(Function<String, String> header, byte[] body) throws Exception {
    if (!isGenuine(header, body)) throw new Refusal(401, "not the platform's");
    var sealed = parse(body).getAsJsonObject("resource");
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(text(keys, "api_v3_key").getBytes(UTF_8), "AES"),
        new GCMParameterSpec(128, text(sealed, "nonce").getBytes(UTF_8)));
    cipher.updateAAD(text(sealed, "associated_data").getBytes(UTF_8));
    return parse(cipher.doFinal(Base64.getDecoder().decode(text(sealed, "ciphertext"))));
  }

  /** The lines of a day's bill, by the names of their columns. */
  List<Map<String, String>> readBill(String date) throws Exception {
    JsonObject bill;
    try {
      bill = get("/v3/bill/tradebill?bill_date=" + date + "&bill_type=ALL&tar_type=GZIP");
    } catch (Refusal refusal) {
      if (refusal.code.equals("NO_STATEMENT_EXIST")) return List.of();
      throw refusal;
    }
    var address = URI.create(text(bill, "download_url"));
    var packed = send("GET", address.getRawPath() + "?" + address.getRawQuery(), "").body();
    var bytes = new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    var digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    if (!digest.equals(text(bill, "hash_value"))) throw new Refusal(502, "a damaged bill");
    var rows = new String(bytes, UTF_8).replace("\uFEFF", "").split("\r\n");
    var names = rows[0].split(",");
    var lines = new ArrayList<Map<String, String>>();
    // The sums follow the lines, under a head of their own.
    for (int at = 1; rows[at].startsWith("`"); at++) {
      var cells = rows[at].substring(1).split(",`", -1);
      var line = new HashMap<String, String>();
      for (int column = 0; column < names.length; column++) line.put(names[column], cells[column]);
      lines.add(line);
    }
    return lines;
  }

  static int fen(String yuan) {
    return (int) Math.round(Double.parseDouble(yuan) * 100);
  }
}
