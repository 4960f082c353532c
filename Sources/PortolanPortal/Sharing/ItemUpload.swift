public import Foundation
internal import PortolanCrypto
internal import PortolanTransport

/// Uploads a file to a portal in parts, as an item that is new or replaced.
///
/// Each part is recorded in the ``UploadLedger``; an upload that broke off, wherever it did, goes
/// on behind the last part that arrived when it is run again with the same file.
public struct ItemUpload: Sendable {
  /// The outcome of an upload.
  public struct Outcome: Hashable, Sendable {
    /// The item.
    public var item: PortalItem.ID
    /// Whether it took the place of an item that was there.
    public var replaced: Bool
    /// The number of bytes that were there already from an interrupted upload.
    public var resumedBytes: Int
    /// The sharing level, beside the groups that it is shared with.
    public var access: PortalItem.Access
    /// Groups that the portal did not share it with.
    public var notSharedWith: [String]
  }

  /// The parameters of an upload.
  public struct Parameters: Sendable {
    /// The metadata of the item.
    public var item: NewPortalItem
    /// The sharing level; if `nil`, private for a new item, and unchanged for one that is replaced.
    public var access: PortalItem.Access?
    /// The groups that it is shared with, beside those that an item is shared with already.
    public var groups: [PortalItem.ID]
    /// Whether an item of the same title and type, of the same person, is replaced.
    public var replacesItem: Bool
    /// The item that is replaced, whatever its title.
    public var target: PortalItem.ID?
    /// The size of a part, in bytes; portals take parts of 5 MB and more, but for the last.
    public var partSize = 10 << 20

    /// Creates parameters.
    public init(
      item: NewPortalItem, access: PortalItem.Access? = nil, groups: [PortalItem.ID] = [],
      replacesItem: Bool = false, target: PortalItem.ID? = nil
    ) {
      self.item = item
      self.access = access
      self.groups = groups
      self.replacesItem = replacesItem
      self.target = target
    }
  }

  let portal: Portal
  let parameters: Parameters
  let ledger: any UploadLedger
  private let file: URL
  private let pause: @Sendable (Duration) async throws -> Void

  /// The interval at which a portal is asked whether it has put the parts together.
  private static let statusInterval = Duration.seconds(2)
  private static let mostStatusRequests = 900

  /// Prepares an upload.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - portal: The portal, with credentials.
  ///   - parameters: What is wanted.
  ///   - ledger: Keeps what is known of the upload.
  ///   - pause: Waits.
  public init(
    of file: URL, to portal: Portal, _ parameters: Parameters, ledger: any UploadLedger,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.file = file.absoluteURL.standardizedFileURL
    self.portal = portal
    self.parameters = parameters
    self.ledger = ledger
    self.pause = pause
  }

  /// Uploads the file; cancelling the task stops it, and it can continue later.
  ///
  /// - Parameter report: Called with how many bytes are there, of how many.
  /// - Returns: The item, and what came of it.
  /// - Throws: ``PortalError``; ``SharingError`` if the file cannot be read, an item is in the way,
  ///   or what arrived is not what was sent.
  @concurrent public func run(
    reporting report: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> Outcome {
    // Two who upload a file at a time would go on with each other's item.
    let hold = try await ledger.hold(file.path(percentEncoded: false))
    defer { withExtendedLifetime(hold) {} }
    let owner = try await owner()
    let begun = await ledger.record(of: file.path(percentEncoded: false))
    do { return try await upload(as: owner, report) } catch SharingError.incomplete
      where begun.map({ $0.partCount > 0 }) ?? false
    {
      // Parts of before the upload broke off are gone: the item was replaced meanwhile, or the portal does
      // not keep them so long. What is known of them is forgotten by now.
      return try await upload(as: owner, report)
    }
  }

  /// Uploads the file, or what of it is missing.
  private func upload(
    as owner: String, _ report: @Sendable (Int, Int) -> Void
  ) async throws -> Outcome {
    let source = try UploadSource(file)
    var record = UploadRecord(
      portal: portal.url, owner: owner, file: file.path(percentEncoded: false),
      size: source.size, modified: source.modified, partSize: parameters.partSize,
      mark: "portolan-upload-\(Base64URL.encode(RandomSource.system.bytes(12)))")
    let id = try await item(for: &record)
    let resumedBytes = min(record.partCount * record.partSize, record.size)
    report(resumedBytes, record.size)
    try await sendParts(of: id, source, &record, report)
    try await finish(id, &record)
    try await publish(id, record)
    let sharing = try await share(id, record)
    await ledger.forget(record.file)
    return Outcome(
      item: id, replaced: !record.isNew, resumedBytes: resumedBytes, access: sharing.access,
      notSharedWith: sharing.refused)
  }

  private func owner() async throws(PortalError) -> String {
    guard let user = try await portal.info().user else {
      throw .signInNeeded(host: portal.url.shownHost ?? portal.url.absoluteString)
    }
    return user.username
  }

  // MARK: The file

  private func sendParts(
    of id: PortalItem.ID, _ source: consuming UploadSource, _ record: inout UploadRecord,
    _ report: @Sendable (Int, Int) -> Void
  ) async throws {
    guard !record.isCommitted else { return }
    while record.partCount * record.partSize < record.size {
      guard !Task.isCancelled else { throw PortalError.cancelled }
      let start = record.partCount * record.partSize
      let end = min(start + record.partSize, record.size)
      let data = try source.read(start..<end)
      try await portal.addPart(
        record.partCount + 1, data, named: parameters.item.fileName, of: id, owner: record.owner)
      record.partCount += 1
      try await ledger.keep(record)
      report(end, record.size)
    }
    try source.check()
  }

  /// Lets the portal put the parts together, and waits until it has.
  ///
  /// A file that it does not accept would be refused each time: it is forgotten, so that the next
  /// upload begins anew.
  private func finish(_ id: PortalItem.ID, _ record: inout UploadRecord) async throws {
    let isSecondTime = record.isCommitted
    do { try await putTogether(id, &record) } catch let error as PortalError {
      guard let reason = error.refusal(isSecond: isSecondTime) else { throw error }
      // A record that cannot be removed is looked at again with the next upload.
      try? await discard(record)
      throw SharingError.refused(title: parameters.item.title, reason: reason)
    }
  }

  private func putTogether(_ id: PortalItem.ID, _ record: inout UploadRecord) async throws {
    if !record.isCommitted {
      // Kept before it is requested: if the response is lost, the status shows its outcome.
      record.isCommitted = true
      try await ledger.keep(record)
      try await portal.commit(id, parameters.item, owner: record.owner)
    }
    var isAskedAgain = false
    for _ in 0..<Self.mostStatusRequests {
      switch try await portal.uploadStatus(of: id, owner: record.owner) {
      case .completed: return try await checkSize(of: id, record)
      case .partial where !isAskedAgain:
        // The portal did not get to know that all parts are there.
        isAskedAgain = true
        try await portal.commit(id, parameters.item, owner: record.owner)
        continue
      case .partial, .processing: break
      }
      try await pause(Self.statusInterval)
    }
    throw SharingError.notStored(title: parameters.item.title)
  }

  /// Whether what the portal holds is as long as the file; not all portals say.
  private func checkSize(of id: PortalItem.ID, _ record: UploadRecord) async throws {
    guard let size = try await portal.item(id).size, size > 0, size != Int64(record.size) else {
      return
    }
    try await discard(record)
    throw SharingError.incomplete(
      title: parameters.item.title, expected: record.size, actual: Int(size))
  }

  private func publish(_ id: PortalItem.ID, _ record: UploadRecord) async throws(PortalError) {
    var item = parameters.item
    // Replaces the mark of the upload. An item that was there before has none, and keeps the keywords
    // that it has for other programs.
    if record.isNew, item.typeKeywords.isEmpty { item.typeKeywords = [item.kind.rawValue] }
    try await portal.change(id, to: item, owner: record.owner)
    if let picture = parameters.item.thumbnail {
      try await portal.setThumbnail(picture, of: id, owner: record.owner)
    }
  }

  /// Shares the item as the record says; other shares stay as they are.
  private func share(
    _ id: PortalItem.ID, _ record: UploadRecord
  ) async throws(PortalError) -> (access: PortalItem.Access, refused: [String]) {
    let present = try await portal.sharing(of: id, owner: record.owner)
    // An item that is shared with groups only is private to everyone else.
    let presentAccess = present.access == .groups ? .private : present.access
    let access = parameters.access ?? presentAccess
    let isSharedAlready = parameters.groups.allSatisfy(present.groups.contains)
    guard access != presentAccess || !isSharedAlready else { return (access, []) }
    // A portal takes absent members for withdrawn, so that all members are sent.
    let groups = present.groups + parameters.groups.filter { !present.groups.contains($0) }
    let refused = try await portal.share(id, owner: record.owner, access: access, groups: groups)
    return (access, refused.filter { parameters.groups.map(\.text).contains($0) })
  }
}

extension PortalError {
  /// The reason why a portal does not accept an upload; `nil` where it may accept it another time,
  /// as after the first failure of its own.
  fileprivate func refusal(isSecond: Bool) -> String? {
    guard case .server(_, let envelope) = self, !isTransient, isSecond || !envelope.isOfServer
    else { return nil }
    let words = [envelope.message] + envelope.details
    guard let reason = words.first(where: { !$0.isEmpty }) else { return "it does not say why" }
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}
