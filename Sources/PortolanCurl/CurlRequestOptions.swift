internal import CCurl
internal import Foundation
internal import PortolanTransport

/// Sets the options of a request for libcurl.
struct CurlRequestOptions {
  let request: HTTPRequest
  let configuration: CurlConfiguration

  func apply(to handle: CurlHandle, bodyCount: Int?) {
    applyAddress(to: handle)
    applyTrust(to: handle)
    applyProxy(to: handle)
    applyMethod(to: handle, bodyCount: bodyCount)
    handle.setHeaders(headerLines)
    handle.set(CURLOPT_USERAGENT, request.headers["User-Agent"] ?? configuration.userAgent)
    // Empty: all encodings that the library knows. Other encodings that are requested are decoded
    // too.
    handle.set(CURLOPT_ACCEPT_ENCODING, request.headers["Accept-Encoding"] ?? "")
  }

  private func applyAddress(to handle: CurlHandle) {
    handle.set(CURLOPT_URL, request.url.absoluteString)
    handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    let isSecure = request.url.scheme?.lowercased() == "https"
    // HTTP/2 without TLS fails in this library when a connection is used again (curl #10634).
    let version = isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    handle.set(CURLOPT_HTTP_VERSION, Int(version))
    // Wait for a connection that may take many requests, rather than open one for each.
    handle.set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
    // The library sends a request once more by itself, be it a POST, where a connection that was used
    // before ends without a byte (`Curl_retry_request`): the server may have acted on the first.
    handle.set(CURLOPT_FRESH_CONNECT, request.isRepeatable ? 0 : 1)
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.milliseconds)
    handle.set(CURLOPT_TCP_KEEPALIVE, 1)
    // Signals belong to the program, and an unanswered name lookup must not delay the end.
    handle.set(CURLOPT_NOSIGNAL, 1)
    handle.set(CURLOPT_QUICK_EXIT, 1)
    // As fast as larger ones, and small enough to stay in the processor's cache.
    handle.set(CURLOPT_BUFFERSIZE, 128 << 10)
  }

  private func applyTrust(to handle: CurlHandle) {
    let host = request.url.host()?.lowercased() ?? ""
    let isVerified = !configuration.unverifiedHosts.contains(host)
    handle.set(CURLOPT_SSL_VERIFYPEER, isVerified ? 1 : 0)
    handle.set(CURLOPT_SSL_VERIFYHOST, isVerified ? 2 : 0)
    if let file = configuration.authorities.file { handle.set(CURLOPT_CAINFO, file) }
    if let folder = configuration.authorities.folder { handle.set(CURLOPT_CAPATH, folder) }
  }

  private func applyProxy(to handle: CurlHandle) {
    let proxies = configuration.proxies
    let isSecure = request.url.scheme?.lowercased() == "https"
    // Empty: no proxy, whatever the library finds in the environment itself.
    handle.set(CURLOPT_PROXY, (isSecure ? proxies.https : proxies.http) ?? "")
    handle.set(CURLOPT_NOPROXY, proxies.exceptions ?? "")
    handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func applyMethod(to handle: CurlHandle, bodyCount: Int?) {
    switch (request.method, bodyCount) {
    case (.get, nil): handle.set(CURLOPT_HTTPGET, 1)
    case (.head, _): handle.set(CURLOPT_NOBODY, 1)
    case (.put, _):
      handle.set(CURLOPT_UPLOAD, 1)
      handle.set(CURLOPT_INFILESIZE_LARGE, size: bodyCount ?? 0)
    case (.post, _), (_, .some):
      handle.set(CURLOPT_POST, 1)
      handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: bodyCount ?? 0)
    default: break
    }
    if request.method == .delete || (request.method == .get && bodyCount != nil) {
      handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  /// The header lines; a name with nothing after its colon is one that libcurl must not add.
  private var headerLines: [String] {
    let own: Set<String> = [
      "accept-encoding", "user-agent", "content-length", "transfer-encoding", "connection",
    ]
    let fields = request.headers.fields.filter {
      !own.contains($0.name.lowercased()) && $0.hasProperName
    }
    var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // Waiting for `100 Continue` takes a second with a server that does not know it.
    if request.headers["Expect"] == nil { lines.append("Expect:") }
    if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    return lines
  }
}

extension HTTPHeaders.Field {
  /// Whether the name is a token (RFC 9110, 5.6.2); a field with another is not sent.
  fileprivate var hasProperName: Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension Duration {
  /// At least one, since none means no limit to libcurl.
  fileprivate var milliseconds: Int {
    let parts = components
    let seconds = Int(min(parts.seconds, 1_000_000))
    return max(seconds * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000), 1)
  }
}
