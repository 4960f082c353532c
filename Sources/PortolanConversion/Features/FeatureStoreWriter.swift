internal import PortolanFeatures
internal import PortolanGeodatabase

/// A file of features that is being made, of any format.
///
/// It appears under its name when ``finish(replacing:)`` returns; one that is released before leaves
/// nothing behind. Every call blocks; one thread calls at a time.
protocol FeatureStoreWriter: AnyObject {
  /// Adds a row to a table.
  ///
  /// - Returns: Why the row does not fit and was left out, in words without a full stop; `nil` if
  ///   it was written.
  /// - Throws: What keeps any further row from being written.
  func append(
    _ feature: Feature, to table: String, attachments: [NewAttachment]
  ) throws -> String?

  /// The field whose value kept the last row out, if that is what did.
  var unfitField: String? { get }

  /// Brings the file to the disk and gives it its name.
  ///
  /// - Parameter replaces: Whether it takes the place of what is there by then.
  /// - Returns: What the format has no place for, beside ``FeatureTargetPlan/omissions``.
  /// - Throws: The error of the format, also if something is there that is to stay.
  func finish(replacing replaces: Bool) throws -> [Omission]
}

extension FeatureStoreWriter {
  /// Formats that keep no row out for one of its values.
  var unfitField: String? { nil }
}
