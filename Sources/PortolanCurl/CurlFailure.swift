internal import CCurl
internal import Foundation
internal import PortolanTransport

/// Why a transfer of libcurl failed, as an error of ours.
struct CurlFailure {
  let code: CURLcode
  /// The message of libcurl, empty if there is none.
  let message: String
  let request: HTTPRequest

  var error: TransportError {
    switch code {
    case CURLE_URL_MALFORMAT: .badAddress(request.address)
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(host)
    case CURLE_COULDNT_RESOLVE_PROXY:
      .unreachable(host: host, reason: "no server is known under the name of the proxy")
    case CURLE_SSL_CONNECT_ERROR where message.contains("wrong version number"):
      .malformed(request.address, reason: "it does not encrypt, though the address says https")
    case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_SSL_CONNECT_ERROR, CURLE_INTERFACE_FAILED:
      .unreachable(host: host, reason: reason)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE:
      .untrusted(host: host, reason: reason)
    case CURLE_OPERATION_TIMEDOUT: .timedOut(request.address, phase: .connect)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      .malformed(request.address, reason: reason)
    default: .interrupted(request.address, reason: reason)
    }
  }

  private var host: String { request.url.shownHost ?? request.address }

  /// The message of libcurl, without the phrase that it appends to every such failure.
  private var reason: String {
    let general = unsafe String(cString: curl_easy_strerror(code))
    let specific =
      message.hasSuffix(": " + general)
      ? String(message.dropLast(general.count + 2)) : message
    let text = specific.isEmpty ? general : specific
    return text.trimmingCharacters(in: CharacterSet(charactersIn: ". \r\n"))
  }
}
