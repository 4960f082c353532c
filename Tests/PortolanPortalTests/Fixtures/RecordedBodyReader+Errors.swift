import Foundation
import PortolanPortal
import Testing

extension RecordedBodyReader {
  /// The recorded errors, and what each is here.
  static let errors: [RecordedBodyReader] = [
    error("errors/*ArcGISOnlineAuthError.json", is: .signInNeeded(host: "gis.example.org")),
    error("errors/*ArcGISServerTokenRequired.json", is: .signInNeeded(host: "gis.example.org")),
    // A refresh token that has expired ends in a new sign-in.
    error("errors/*RefreshTokenError.json", is: .signInNeeded(host: "gis.example.org")),
    error("errors/*ArcGISOnlineError.json", code: 400, "'type' and 'title' property required."),
    error("errors/*GenerateTokenError.json", code: 400, "Unable to generate token."),
    error("errors/*BillingError.json", code: 500, "Error getting subscription info"),
    error("errors/*BillingErrorWithCode200.json", code: 200, ""),
    error("errors/*TaskError.json", code: nil, "failed"),
    error(
      "errors/*TaskErrorWithJSON.json", code: 400, "Index was outside the bounds of the array."),
    RecordedBodyReader("errors/*ArcGISOnlineErrorNoCode.json", notPermitted),
    RecordedBodyReader("errors/*ArcGISOnlineErrorNoMessageCode.json", notPermitted),
    RecordedBodyReader("errors/*SharingRestInfo.json", plain),
    RecordedBodyReader("errors/*SharingRestInfoHTML.txt") { portal, url in
      let page = UnexpectedBody.html(title: "ArcGIS Portal Directory")
      await #expect(throws: PortalError.notJSON(url.absoluteString, page)) {
        try await portal.client.json(url)
      }
    },
  ]

  private static func error(_ pattern: String, is expected: PortalError) -> RecordedBodyReader {
    RecordedBodyReader(pattern) { portal, url in
      await #expect(throws: expected) { try await portal.client.json(url) }
    }
  }

  private static func error(
    _ pattern: String, code: Int?, _ message: String
  ) -> RecordedBodyReader {
    RecordedBodyReader(pattern) { portal, url in
      await #expect {
        try await portal.client.json(url)
      } throws: { error in
        guard case .server(_, let envelope) = error as? PortalError else { return false }
        return envelope.code == code && envelope.message == message
      }
    }
  }

  @Sendable private static func notPermitted(_ portal: Portal, _ url: URL) async throws {
    await #expect {
      try await portal.client.json(url)
    } throws: { error in
      guard case .notPermitted(url.absoluteString, _) = error as? PortalError else { return false }
      return true
    }
  }
}
