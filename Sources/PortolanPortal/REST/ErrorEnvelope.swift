internal import Foundation
public import PortolanJSON
internal import PortolanTransport

/// The error document of a service, mostly sent with HTTP status 200.
///
/// Docs/REST.md, 1 lists the forms. Texts are the server's: control characters are taken out and
/// the length is bounded, so that they can be shown.
public struct ErrorEnvelope: Hashable, Sendable {
  /// The code, like an HTTP status, or 498 and 499 for tokens; `nil` if the server gives none.
  public var code: Int?

  /// The message of the server.
  public var message: String

  /// More of that.
  public var details: [String]

  /// A name for the failure that does not depend on the language, for example `CONT_0001`.
  public var messageCode: String?

  /// The `error` of OAuth, for example `invalid_grant`.
  public var oauthError: String?

  /// The time that the server asks clients to wait, where it answers that it cannot do it now.
  public var retryAfter: Duration?

  /// Creates an envelope.
  public init(
    code: Int?, message: String, details: [String] = [], messageCode: String? = nil,
    oauthError: String? = nil
  ) {
    self.code = code
    self.message = message.shownSafely
    self.details = details.map(\.shownSafely)
    self.messageCode = messageCode
    self.oauthError = oauthError
  }

  /// Reads the envelope that `body` is, or answers `nil` if it is a response like any other.
  public init?(recognizing body: JSONValue) {
    guard let object = body.object else { return nil }
    if let error = object["error"]?.object, !error.isEmpty {
      self.init(error: error)
    } else if let error = object["error"]?.string, !error.isEmpty {
      self.init(oauthError: error, in: object)
    } else if object["success"]?.bool == false || object.hasFailedStatus {
      self.init(status: object)
    } else {
      return nil
    }
  }

  /// Reads the `error` object of an envelope or of one edit's result, which has `description`.
  public init(error: JSONObject) {
    let description = error["error_description"]?.string ?? error["description"]?.string
    let details = Self.texts(error["details"])
    self.init(
      code: Self.code(error["code"]),
      message: error["message"]?.string ?? description ?? details.first ?? "",
      details: details, messageCode: error["messageCode"]?.string,
      oauthError: error["error"]?.string)
  }

  private init(oauthError: String, in object: JSONObject) {
    self.init(
      code: Self.code(object["code"]),
      message: object["error_description"]?.string ?? object["message"]?.string ?? oauthError,
      oauthError: oauthError)
  }

  /// The forms of administration, billing and the status of an item.
  private init(status object: JSONObject) {
    let messages = Self.texts(object["messages"])
    let message = object["message"]?.string ?? object["statusMessage"]?.string
    // The status of an item may quote another envelope as text.
    // A text that is no JSON is the message itself.
    if let message, let quoted = try? JSONValue(parsing: message).object,
      quoted["message"]?.string != nil
    {
      self.init(error: quoted)
      return
    }
    self.init(
      code: Self.code(object["code"]), message: message ?? messages.first ?? "",
      details: messages + Self.texts(object["details"]),
      messageCode: object["messageCode"]?.string)
  }

  private static func code(_ value: JSONValue?) -> Int? {
    value?.int ?? value?.string.flatMap { Int($0) }
  }

  /// The texts of a list, of one text, or of the messages of a job.
  static func texts(_ value: JSONValue?) -> [String] {
    if let text = value?.string { return [text] }
    return (value?.array ?? []).compactMap { $0.string ?? $0["description"]?.string }
  }
}

extension ErrorEnvelope {
  /// The envelope with dots in place of `secrets`, which servers quote.
  func hiding(_ secrets: Set<String>) -> ErrorEnvelope {
    var envelope = self
    envelope.message = message.hiding(secrets)
    envelope.details = details.map { $0.hiding(secrets) }
    return envelope
  }

  /// The authentication challenge in the failure, if it is one.
  ///
  /// Servers agree on the words more than on the codes.
  var challenge: ArcGISAuthenticationChallenge.Kind? {
    switch code {
    case 498: return .tokenInvalid
    case 499, 401: return .tokenRequired
    default: break
    }
    guard oauthError == nil else { return nil }
    let words = ([message] + details).joined(separator: " ").lowercased()
    if words.contains("token required") { return .tokenRequired }
    if words.contains("invalid token") || words.contains("invalid or expired token") {
      return .tokenInvalid
    }
    return nil
  }

  /// Whether the resource is missing, or hidden from who asks.
  var isNotFound: Bool { code == 404 || messageCode == "CONT_0001" || saysNotFound }

  /// Whether who asks may not do that, with whatever token.
  var isNotPermitted: Bool {
    code == 403 || (code == nil && message.lowercased().contains("do not have permission"))
  }

  private var saysNotFound: Bool {
    code == 400 && message.lowercased().contains("does not exist or is inaccessible")
  }
}

extension JSONObject {
  /// Whether this is one of the envelopes that tell their failure by `status`.
  fileprivate var hasFailedStatus: Bool {
    guard let status = self["status"]?.string?.lowercased() else { return false }
    return ["error", "failure", "failed"].contains(status)
      && ["message", "messages", "statusMessage"].contains { self[$0] != nil }
  }
}

extension String {
  /// The text without control characters and with at most a thousand characters.
  fileprivate var shownSafely: String {
    let visible = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    let text = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces)
    return text.count > 1000 ? text.prefix(1000) + "…" : text
  }
}
