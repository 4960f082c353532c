public import Foundation
public import PortolanJSON

/// An answer that says no, in the portal's own words.
///
/// Clients decide by these words (Docs/DEMO-PORTAL.md), so they are kept to the letter.
public struct DemoFailure: Error, Hashable, Sendable {
  /// The code inside the envelope.
  public var code: Int

  /// The sentence that clients read.
  public var message: String

  /// Further sentences.
  public var details: [String]

  /// A code such as `CONT_0001`, if there is one.
  public var messageCode: String?

  /// The OAuth name of the failure, such as `invalid_grant`, if it is one.
  public var oauthError: String?

  /// The status of the HTTP answer, 200 unless the server is set up to be honest.
  public var status: Int

  /// Creates a failure; its HTTP status is 200, as ArcGIS Online's is.
  public init(
    code: Int, _ message: String, details: [String] = [], messageCode: String? = nil,
    oauthError: String? = nil, status: Int = 200
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.messageCode = messageCode
    self.oauthError = oauthError
    self.status = status
  }
}

extension DemoFailure {
  /// The token is unknown or has expired.
  public static let invalidToken = DemoFailure(code: 498, "Invalid token.")

  /// Nobody is signed in.
  public static let tokenRequired = DemoFailure(code: 499, "Token Required")

  /// The signed-in user may not do this.
  public static let notPermitted = DemoFailure(
    code: 403,
    "You do not have permissions to access this resource or perform this operation.",
    messageCode: "GWM_0003")

  /// There is no such item, or it is not shared with who asks.
  public static let noItem = DemoFailure(
    code: 400, "Item does not exist or is inaccessible.", messageCode: "CONT_0001")

  /// The item is protected from being deleted.
  public static let protectedItem = DemoFailure(
    code: 400, "Unable to delete item. Delete protection is turned on.")

  /// A parameter is missing or makes no sense; `detail` says which.
  public static func badRequest(_ detail: String) -> DemoFailure {
    DemoFailure(code: 400, "Unable to complete operation.", details: [detail])
  }

  /// There is nothing at this address.
  public static func notFound(_ path: String) -> DemoFailure {
    DemoFailure(code: 404, "Not Found", details: ["There is nothing at \(path)."])
  }
}

extension DemoFailure {
  /// The envelope that goes over the wire.
  public var envelope: JSONValue {
    var error: JSONObject = ["code": .integer(Int64(code))]
    error["messageCode"] = messageCode.map { .string($0) }
    if let oauthError {
      error["error"] = .string(oauthError)
      error["error_description"] = .string(message)
    }
    error["message"] = .string(message)
    error["details"] = .array(details.map { .string($0) })
    return ["error": .object(error)]
  }
}

extension DemoFailure: LocalizedError {
  public var errorDescription: String? { message }

  public var recoverySuggestion: String? { details.first }
}
