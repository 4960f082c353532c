internal import PortolanFeatures

/// A table on its way from one file to another.
struct TableTransfer: Sendable {
  /// The table as the source has it.
  let source: FeatureTableSchema
  /// The table as the target will have it.
  let target: FeatureTableSchema
  /// The fields under their new names, where one had to be renamed.
  let renamedFields: FieldList?
  /// Whether it only joins two others, and is made with their relation.
  let isJoin: Bool

  init(
    _ source: FeatureTableSchema, as target: FeatureTableSchema? = nil, isJoin: Bool = false
  ) {
    self.source = source
    self.target = target ?? source
    self.isJoin = isJoin
    let isRenamed = self.target.fields.map(\.name) != source.fields.map(\.name)
    renamedFields = isRenamed ? FieldList(self.target.fields) : nil
  }
}
