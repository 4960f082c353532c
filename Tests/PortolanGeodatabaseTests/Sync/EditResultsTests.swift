import PortolanFeatures
import Testing

@testable import PortolanGeodatabase

/// The edit that a service means by a result, where it does not say so clearly.
@Suite struct EditResultsTests {
  private static let edits = (1...3).map { number in
    SyncUpload.Edit(
      table: "Sites", layerID: 0, objectID: Int64(number), globalID: SyncedSites.id(number),
      kind: LocalChange.Kind.update.rawValue, attachmentID: nil, attachmentGlobalID: nil)
  }

  private static func result(
    _ globalID: String?, isSuccess: Bool = true
  ) -> GeodatabaseDelta.EditResult {
    GeodatabaseDelta.EditResult(
      objectID: nil, globalID: globalID, isSuccess: isSuccess, code: isSuccess ? 0 : 1000,
      reason: isSuccess ? "" : "Not on a Sunday.", kind: .update, layerID: 0)
  }

  private func outcomes(_ results: [GeodatabaseDelta.EditResult]) -> [Bool?] {
    let found = EditResults(Self.edits, results, isCertain: true)
    return Self.edits.map { found.outcome(of: $0)?.isAccepted }
  }

  @Test(arguments: [true, false])
  func `An edit of which a service says both that it has and that it refuses it is refused`(
    _ isRefusedFirst: Bool
  ) {
    let both = [isRefusedFirst, !isRefusedFirst].map { isRefused in
      Self.result(SyncedSites.id(1), isSuccess: !isRefused)
    }
    let others = [Self.result(SyncedSites.id(2)), Self.result(SyncedSites.id(3))]
    #expect(outcomes(both + others) == [false, true, true])
  }

  @Test(arguments: [true, false])
  func `So is an attachment`(_ isRefusedFirst: Bool) {
    let edit = SyncUpload.Edit(
      table: "Sites", layerID: 0, objectID: 1, globalID: SyncedSites.id(1),
      kind: LocalChange.Kind.update.rawValue, attachmentID: 1,
      attachmentGlobalID: SyncedSites.photoID)
    let both = [isRefusedFirst, !isRefusedFirst].map { isRefused in
      var result = Self.result(SyncedSites.photoID, isSuccess: !isRefused)
      result.isAttachment = true
      return result
    }
    let found = EditResults([edit], both, isCertain: true)
    #expect(found.outcome(of: edit)?.isAccepted == false)
  }

  @Test func `Results without names are those of the edits in their places`() {
    let named = SyncedSites.id(2).lowercased().filter { $0 != "{" && $0 != "}" }
    #expect(
      outcomes([Self.result(nil), Self.result(named), Self.result(nil, isSuccess: false)])
        == [true, true, false])
  }

  @Test func `Results without names say nothing where the others are in another order`() {
    let results = [
      Self.result(SyncedSites.id(2)), Self.result(nil, isSuccess: false), Self.result(nil),
    ]
    #expect(outcomes(results) == [nil, true, nil])
  }

  @Test func `Fewer results than edits say nothing unless they have names`() {
    #expect(outcomes([Self.result(nil), Self.result(nil)]) == [nil, nil, nil])
    #expect(outcomes([Self.result(SyncedSites.id(3)), Self.result(nil)]) == [nil, nil, true])
  }
}
