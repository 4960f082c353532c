import Foundation
import PortolanApp
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanWeb

/// Maps that several pages share.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct WebSharingTests {
  @Test func `While a package is shared, no page writes another in its place`() async throws {
    try await withDemo { web in
      let actions = web.handler.actions
      actions.isSharing = true
      let browser = try await FakeBrowser(web)
      let body: JSONValue = ["id": "any", "title": "Bay"]
      let refused = try await browser.answer(to: "/api/maps/share", body: body.encoded())
      #expect(refused.status == 409)
      #expect(String(decoding: refused.data, as: UTF8.self).contains("A file is being shared."))
      #expect(actions.sharedDrafts.isEmpty && actions.isSharing)
    }
  }
}
