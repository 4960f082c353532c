internal import PortolanJSON

extension DemoFault {
  /// Reads a fault from the parameters of a request, or from its body as JSON.
  ///
  /// - Throws: ``DemoFailure/badRequest(_:)`` for a kind that does not exist and for numbers that
  ///   make no sense.
  init(_ request: DemoRequest) throws(DemoFailure) {
    let parameters = try FaultParameters(request)
    guard let kind = try parameters.kind() else {
      throw .badRequest("'kind' is one of \(FaultParameters.kinds.joined(separator: ", ")).")
    }
    self.init(
      kind, path: parameters["path"] ?? "*", skip: try parameters.count("skip") ?? 0,
      count: try parameters.count("count"))
  }
}

extension DemoFault.Kind {
  /// The name that the control endpoint knows it by.
  var name: String {
    switch self {
    case .latency: "latency"
    case .drop: "drop"
    case .cut: "cut"
    case .stall: "stall"
    case .slow: "slow"
    case .status: "status"
    case .failure: "error"
    case .html: "html"
    case .wrongLength: "wrong-length"
    case .corrupt: "corrupt"
    case .noRanges: "no-ranges"
    case .newVersion: "new-version"
    case .expiredToken: "expired-token"
    }
  }
}

/// The parameters of a fault in a request to the control endpoint.
private struct FaultParameters {
  static let kinds = [
    "latency", "drop", "cut", "stall", "slow", "status", "error", "html", "wrong-length", "corrupt",
    "no-ranges", "new-version", "expired-token",
  ]

  private let parameters: DemoParameters
  private let document: JSONObject

  init(_ request: DemoRequest) throws(DemoFailure) {
    parameters = request.parameters
    guard request.isJSON else {
      document = [:]
      return
    }
    do {
      document = try JSONValue(parsing: request.body).object ?? [:]
    } catch {
      throw .badRequest("The body is no JSON.")
    }
  }

  subscript(name: String) -> String? {
    if let value = document.value(ignoringCase: name) {
      return value.string ?? value.integer.map(String.init)
    }
    return parameters[name]
  }

  /// A number of bytes, requests, seconds or milliseconds.
  func count(_ name: String) throws(DemoFailure) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .badRequest("'\(name)' is a whole number, not below 0.")
    }
    return number
  }

  func kind() throws(DemoFailure) -> DemoFault.Kind? {
    switch self["kind"]?.lowercased() {
    case "latency": .latency(.milliseconds(try count("milliseconds") ?? 1000))
    case "drop": .drop
    case "cut": .cut(after: try count("bytes") ?? 0)
    case "stall": .stall(after: try count("bytes") ?? 0)
    case "slow": .slow(bytesPerSecond: try count("bytes") ?? 1 << 20)
    case "status": .status(try status(), retryAfter: try count("retryAfter"))
    case "error": .failure(try failure())
    case "html": .html
    case "wrong-length": .wrongLength(by: self["bytes"].flatMap { Int($0) } ?? 100)
    case "corrupt": .corrupt(bytes: try count("bytes") ?? 1)
    case "no-ranges": .noRanges
    case "new-version": .newVersion
    case "expired-token": .expiredToken
    default: nil
    }
  }

  private func status() throws(DemoFailure) -> Int {
    let status = try count("status") ?? 503
    guard (200...599).contains(status) else { throw .badRequest("'status' is from 200 to 599.") }
    return status
  }

  private func failure() throws(DemoFailure) -> DemoFailure {
    DemoFailure(
      code: try count("code") ?? 500, self["message"] ?? "Unable to complete operation.",
      messageCode: self["messageCode"])
  }
}
