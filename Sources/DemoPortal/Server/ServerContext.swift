internal import Foundation
internal import PortolanTransport

/// What every connection of a server shares.
final class ServerContext: Sendable {
  let portal: DemoPortal
  let scheme: String
  let bodyLimit: Int
  let tasks = ServerTasks()
  /// Where what is sent is counted, if it is.
  let transfers: TransferLog?

  init(portal: DemoPortal, scheme: String, bodyLimit: Int, transfers: TransferLog? = nil) {
    self.transfers = transfers
    self.portal = portal
    self.scheme = scheme
    self.bodyLimit = bodyLimit
  }

  /// The request that has arrived, or `nil` if its method is none that the portal knows.
  func request(
    method: String, target: String, headers: HTTPHeaders, body: Data
  ) -> DemoRequest? {
    guard let method = HTTPRequest.Method(rawValue: method.uppercased()),
      let base = base(headers["Host"] ?? "localhost")
    else { return nil }
    return DemoRequest(method: method, base: base, target: target, headers: headers, body: body)
  }

  private func base(_ host: String) -> URL? {
    let isPlain = host.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && !Array("/?#@\\\"<>".utf8).contains($0)
    }
    return isPlain ? URL(string: "\(scheme)://\(host)") : nil
  }
}
