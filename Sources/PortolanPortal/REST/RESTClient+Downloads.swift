public import Foundation
public import PortolanTransport

extension RESTClient {
  /// Downloads a file, such as the data of an item, and continues where an earlier try stopped.
  ///
  /// Texts are never the file: servers tell their refusals in them, also with status 200.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - destination: Where it goes; its folder is there.
  ///   - options: How it is fetched; what counts as the file is decided here.
  ///   - clock: Measures pauses.
  ///   - chance: A number from 0 up to 1, another each time.
  /// - Returns: The file, whole and on the disk.
  /// - Throws: ``PortalError`` for every form of refusal; what was received stays for the next
  ///   time.
  public func download(
    _ url: URL, to destination: URL, options: FileDownload.Options, clock: any Clock<Duration>,
    chance: @escaping @Sendable () -> Double
  ) async throws(PortalError) -> DownloadedFile {
    let plain = HTTPRequest(url)
    var request = try await authenticator.authorize(plain)
    var options = options
    options.isExpected = { !$0.isText }
    var retries = CredentialRetries()
    while true {
      let download = FileDownload(
        request, to: destination, options: options, over: transport, clock: clock, chance: chance)
      let outcome: DownloadOutcome
      do throws(TransportError) { outcome = try await download.run() } catch {
        throw PortalError(error)
      }
      switch outcome {
      case .file(let file): return file
      case .refused(let response):
        request = try await self.request(after: response, to: request, &retries)
      }
    }
  }

  /// The request with other credentials, if want of them is why `response` came.
  private func request(
    after response: HTTPResponse, to sent: HTTPRequest, _ retries: inout CredentialRetries
  ) async throws(PortalError) -> HTTPRequest {
    let answer = RESTAnswer(response, to: sent, expecting: .json)
    if let kind = answer.challenge, retries.allow(after: sent, refusedFor: kind) {
      let challenge = ArcGISAuthenticationChallenge(request: sent, kind: kind)
      if let other = try await authenticator.respond(to: challenge),
        retries.take(other, after: sent)
      {
        return other
      }
    }
    _ = try answer.response()
    throw .notJSON(sent.address, answer.unexpectedBody(reason: "it is no file"))
  }
}

extension HTTPResponseHead {
  /// Whether the body is said to be one for people or scripts to read.
  fileprivate var isText: Bool {
    guard let type = contentType else { return false }
    return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
  }
}
