public import PortolanFeatures

// The files of features.
extension EditingModel {
  /// Attaches a file to a feature.
  ///
  /// - Throws: A problem if the store refuses it.
  @discardableResult
  public func attach(
    _ attachment: NewAttachment, to objectID: Int64, in layerID: String
  ) async throws(Problem) -> StoredEdit {
    let target = try await target(layerID)
    return try await apply(
      .addAttachment(attachment, to: .objectID(objectID), table: target.schema.name), to: target)
  }

  /// Puts another file in place of an attachment.
  ///
  /// - Parameters:
  ///   - id: The attachment.
  ///   - attachment: The file.
  ///   - objectID: The feature that it must be a file of.
  ///   - layerID: The key of the layer.
  /// - Returns: What was stored.
  /// - Throws: A problem if the feature has no such attachment, or the store refuses it.
  @discardableResult
  public func replaceAttachment(
    _ id: Attachment.ID, with attachment: NewAttachment, of objectID: Int64, in layerID: String
  ) async throws(Problem) -> StoredEdit {
    let target = try await target(layerID)
    try await check(id, of: objectID, in: target)
    return try await apply(
      .updateAttachment(id, attachment, table: target.schema.name), to: target)
  }

  /// Removes an attachment.
  ///
  /// - Parameters:
  ///   - id: The attachment.
  ///   - objectID: The feature that it must be a file of.
  ///   - layerID: The key of the layer.
  /// - Returns: What was stored.
  /// - Throws: A problem if the feature has no such attachment, or the store refuses it.
  @discardableResult
  public func removeAttachment(
    _ id: Attachment.ID, of objectID: Int64, in layerID: String
  ) async throws(Problem) -> StoredEdit {
    let target = try await target(layerID)
    try await check(id, of: objectID, in: target)
    return try await apply(.deleteAttachment(id, table: target.schema.name), to: target)
  }

  /// Refuses an attachment of another feature: numbers may have been given again meanwhile.
  private func check(
    _ id: Attachment.ID, of objectID: Int64, in target: EditTarget
  ) async throws(Problem) {
    let attachments: [Attachment]
    do {
      attachments = try await target.store.attachments(of: objectID, in: target.schema.name)
    } catch {
      throw Problem(error)
    }
    guard attachments.contains(where: { $0.id == id }) else {
      throw Problem(
        FeatureEditError.noSuchAttachment(id: id, target.place(of: objectID)))
    }
  }
}
