internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension HTTPResponse {
  /// The body as a JSON document.
  func json() throws(JSONError) -> JSONValue {
    try parsedJSON { (data) throws(JSONError) in try JSONValue(parsing: data) }
  }

  /// The result of `parse` for the body, or for its repaired form where the body is not quite JSON.
  func parsedJSON<Value>(
    _ parse: (Data) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    do {
      return try parse(body)
    } catch {
      guard let repaired = JSONRepair.repaired(body) else { throw error }
      return try parse(repaired)
    }
  }
}

extension PortalError {
  /// The error for a body that is not JSON.
  init(_ response: HTTPResponse, from address: String, _ error: JSONError) {
    self = .notJSON(address, UnexpectedBody(of: response, reason: error.reason))
  }
}

extension JSONError {
  /// The fault, for use in a sentence.
  fileprivate var reason: String {
    switch self {
    case .malformed(let reason, let offset?): "\(reason), at byte \(offset)"
    case .malformed(let reason, nil): reason
    case .nestedTooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .tooManyValues: "its features have more values than fit in memory"
    }
  }
}
