internal import Foundation

extension ItemUpload {
  /// The item that the file goes to, as the record says from then on: that of the upload that broke
  /// off, one to replace, or a new one.
  func item(for record: inout UploadRecord) async throws -> PortalItem.ID {
    let begun = try await resume(&record)
    let old = try await replacedItem(for: record, besides: record.isNew ? begun?.id : nil)
    if let begun, old.map({ $0.id == begun.id }) ?? record.isNew {
      record.item = begun.id.text
      try await ledger.keep(record)
      try await beginReplacing(begun.id, &record)
      return begun.id
    }
    // An upload begun for a deleted item, or for another request, is discarded: it starts over.
    if begun != nil { try await discard(record) }
    record.restart()
    record.isNew = old == nil
    record.item = old?.id.text
    try await ledger.keep(record)
    if let old {
      try await beginReplacing(old.id, &record)
      return old.id
    }
    let id = try await portal.add(marked(record), owner: record.owner)
    record.item = id.text
    try await ledger.keep(record)
    return id
  }

  /// Has the portal take a new file for an item that was there before, unless it does already.
  ///
  /// Until it has said so, parts would go to an item of which nothing is replaced.
  private func beginReplacing(_ id: PortalItem.ID, _ record: inout UploadRecord) async throws {
    guard !record.isNew, !record.isReplacing else { return }
    record.partCount = 0
    record.isCommitted = false
    try await portal.change(id, to: parameters.item, owner: record.owner, replacesFile: true)
    record.isReplacing = true
    try await ledger.keep(record)
  }

  /// Deletes the item of an upload that does not continue, unless it was there before or is complete.
  func discard(_ record: UploadRecord) async throws {
    if let item = try await begunItem(of: record), item.typeKeywords.contains(record.mark) {
      try await portal.remove(item.id, owner: record.owner)
    }
    await ledger.forget(record.file)
  }

  /// The item of the upload that broke off, which the record becomes that of; `nil` if there is none.
  ///
  /// That of a file that has changed meanwhile is deleted.
  private func resume(_ record: inout UploadRecord) async throws -> PortalItem? {
    guard let known = await ledger.record(of: record.file) else { return nil }
    if known.continues(record) {
      record = known
      return try await begunItem(of: known)
    }
    // Another user's item, or one on another portal, is out of reach.
    if known.isOfSameOwner(as: record) { try await discard(known) }
    return nil
  }

  /// The item of an upload, if it is there.
  private func begunItem(of record: UploadRecord) async throws -> PortalItem? {
    if let text = record.item {
      let item = try await ifPresent(PortalItem.ID(text))
      // One that was given to another user is out of reach.
      return item.flatMap { ($0.owner ?? record.owner) == record.owner ? $0 : nil }
    }
    // The answer to adding the item was lost: it may be there.
    let query = PortalQueryParameters(
      query: "owner:\"\(record.owner)\" AND typekeywords:\"\(record.mark)\"", limit: 10)
    return try await portal.findItems(query).results
      .first { $0.typeKeywords.contains(record.mark) }
  }

  /// An item; `nil` if it is not there any more, or another user's by now and hidden.
  private func ifPresent(_ id: PortalItem.ID) async throws(PortalError) -> PortalItem? {
    do {
      return try await portal.item(id)
    } catch {
      switch error {
      case .notFound, .notPermitted: return nil
      default: throw error
      }
    }
  }

  /// The item to replace; `nil` if the file becomes a new one.
  private func replacedItem(
    for record: UploadRecord, besides own: PortalItem.ID?
  ) async throws -> PortalItem? {
    if let target = parameters.target { return try await item(target, of: record.owner) }
    let same = try await existingItems(of: record.owner).filter { $0.id != own }
    guard let first = same.first else { return nil }
    guard parameters.replacesItem else {
      throw SharingError.itemExists(title: first.title, id: first.id.text)
    }
    guard same.count == 1 else {
      throw SharingError.severalItems(title: first.title, ids: same.map(\.id.text).sorted())
    }
    return first
  }

  /// The item that is named to be replaced.
  private func item(_ id: PortalItem.ID, of owner: String) async throws -> PortalItem {
    let item = try await portal.item(id)
    guard item.owner == owner, item.isOf(parameters.item.kind) else {
      throw SharingError.notReplaceable(title: item.title, id: id.text)
    }
    return item
  }

  /// The items of the same title and type of the same person, whose upload is complete.
  ///
  /// A portal also finds all whose titles only have the words, on as many pages as it takes.
  private func existingItems(of owner: String) async throws(PortalError) -> [PortalItem] {
    let words = parameters.item.title.replacing("\"", with: " ").replacing("\\", with: " ")
    var page: PortalQueryParameters? = PortalQueryParameters(
      query: "owner:\"\(owner)\" AND title:\"\(words)\"", kinds: [parameters.item.kind],
      limit: PortalQueryParameters.maxLimit)
    var items: [PortalItem] = []
    while let parameters = page {
      let found = try await portal.findItems(parameters)
      // What is shared meanwhile may be on two pages.
      items += found.results.filter { item in
        isSame(item, of: owner) && !items.contains { $0.id == item.id }
      }
      page = found.nextParameters
    }
    return items
  }

  private func isSame(_ item: PortalItem, of owner: String) -> Bool {
    item.title == parameters.item.title && item.owner == owner && item.isOf(parameters.item.kind)
      && !item.typeKeywords.contains { $0.hasPrefix("portolan-upload-") }
  }

  private func marked(_ record: UploadRecord) -> NewPortalItem {
    var item = parameters.item
    item.typeKeywords.append(record.mark)
    return item
  }
}
