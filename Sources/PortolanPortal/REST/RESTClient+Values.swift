internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension RESTClient {
  /// Asks for a JSON document and makes a value of it.
  ///
  /// - Parameters:
  ///   - url: The resource.
  ///   - parameters: What is asked of it.
  ///   - method: How the parameters travel.
  ///   - reason: What is wrong with a document that `reading` has no value for.
  ///   - reading: Makes the value, or answers `nil` if the document is that of something else.
  /// - Returns: The value.
  /// - Throws: ``PortalError/unexpected(_:reason:)`` if there is none.
  func value<Value>(
    _ url: URL, _ parameters: RESTParameters = [:], method: RESTMethod = .automatic,
    orBecause reason: String, reading: (JSONValue) -> Value?
  ) async throws(PortalError) -> Value {
    let json = try await json(url, parameters, method: method)
    guard let value = reading(json) else {
      throw .unexpected(url.withoutSecrets, reason: reason)
    }
    return value
  }
}
