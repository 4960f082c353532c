import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The edits that a decision settles: those that were there when it was made, and no later ones.
@Suite(.temporaryDirectory) struct SettledEditsTests {
  /// An edit that is made after the conflicts were listed.
  enum LaterEdit: CaseIterable {
    case feature, part, newPart, attachment, newAttachment

    func make(in copy: SyncedSites) async throws {
      switch self {
      case .feature: try await copy.rename(1, in: .sites, "Later")
      case .part: try await copy.rename(1, in: .surveys, "Later")
      case .newPart:
        let part = NewFeature(
          attributes: ["NAME": .text("Later"), "PARENT": .text(SyncedSites.alpha)])
        _ = try await copy.store.apply([.add(part, table: "Surveys")])
      case .attachment:
        let id = try #require(try await copy.store.attachments(of: 1, in: "Sites").first).id
        _ = try await copy.store.apply([
          .updateAttachment(id, SyncedSites.photo("later"), table: "Sites")
        ])
      case .newAttachment:
        let file = NewAttachment(name: "b.txt", contentType: "text/plain", data: Data("b".utf8))
        _ = try await copy.store.apply([.addAttachment(file, to: .objectID(1), table: "Sites")])
      }
    }
  }

  /// The names, the photo and the number of files of the site.
  private struct Contents: Hashable {
    let names: [[String]]
    let photo: String?
    let files: Int

    init(of copy: SyncedSites) async throws {
      names = try await copy.names()
      photo = try await copy.photo()
      files = try await copy.store.attachments(of: 1, in: "Sites").count
    }
  }

  /// A copy whose site others have removed, while one of its parts was edited here.
  private func stage() async throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .surveys, "Mine")
    try await copy.receiveRemovalOfAlpha()
    return copy
  }

  private func conflict(
    in copy: SyncedSites
  ) async throws -> (issue: SyncIssue, edits: SettledEdits?) {
    try #require(
      try await copy.store.syncIssuesToDecide().first { $0.issue.globalID == SyncedSites.alpha })
  }

  private static let refusal = FeatureEditError.conflictChanged(
    EditPlace(table: "Sites", objectID: 1))

  @Test(arguments: LaterEdit.allCases)
  func `A later edit of what is decided on with a feature is not discarded unseen`(
    _ later: LaterEdit
  ) async throws {
    let copy = try await stage()
    let listed = try await conflict(in: copy)
    let edits = listed.edits
    try await later.make(in: copy)
    let before = try await Contents(of: copy)
    for resolution in SyncIssue.Resolution.allCases {
      await #expect(throws: Self.refusal) {
        try await copy.store.resolve(listed.issue.id, as: resolution, ifStill: edits)
      }
    }
    await #expect(throws: Self.refusal) {
      try await copy.store.resolve(
        listed.issue.id, changing: ["NAME": .text("Both")], ifStill: edits)
    }
    #expect(try await Contents(of: copy) == before)
    #expect(try await copy.store.syncIssues().count == 4)
    // A person who has looked again decides on the current state.
    let again = try await conflict(in: copy)
    let known = Set(try #require(edits).edits)
    let new = try #require(again.edits).edits.filter { !known.contains($0) }
    #expect(new.count == 1, "The list has what was edited later: \(new)")
    try await copy.store.resolve(again.issue.id, as: .theirs, ifStill: again.edits)
    #expect(try await copy.names() == [["Beta"], [], [], ["Closed"]])
    await copy.store.close()
  }

  @Test func `A later edit of another feature does not keep a conflict from being resolved`()
    async throws
  {
    let copy = try await stage()
    let listed = try await conflict(in: copy)
    try await copy.rename(2, in: .sites, "Later")
    try await copy.store.resolve(listed.issue.id, as: .theirs, ifStill: listed.edits)
    #expect(try await copy.names() == [["Later"], [], [], ["Closed"]])
    #expect(try await copy.store.syncIssues().isEmpty)
    await copy.store.close()
  }

  @Test func `A conflict is the same however often it is listed, and changes its feature as seen`()
    async throws
  {
    let copy = try await stage()
    let listed = try #require(try await conflict(in: copy).edits)
    let again = try await conflict(in: copy)
    #expect(again.edits == listed)
    try await copy.store.resolve(
      again.issue.id, changing: ["NAME": .text("Both")], ifStill: listed)
    #expect(try await copy.names()[0] == ["Beta", "Both"])
    #expect(try await copy.store.syncIssues().isEmpty)
    await copy.store.close()
  }

  @Test func `A conflict that was resolved meanwhile has changed`() async throws {
    let copy = try await stage()
    let listed = try await conflict(in: copy)
    try await copy.store.resolve(listed.issue.id, as: .mine)
    await #expect(throws: FeatureEditError.conflictChanged(EditPlace(table: "the conflicts"))) {
      try await copy.store.resolve(
        listed.issue.id, as: .theirs, ifStill: listed.edits)
    }
    #expect(try await copy.names()[1] == ["Autumn", "Mine"])
    await copy.store.close()
  }
}
