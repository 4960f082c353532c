internal import PortolanFeatures

extension FeatureTableSchema {
  /// The values offered for a field of a feature: the subtypes for the field of the subtype, else
  /// the values that the subtype or the field allows.
  func offeredDomain(of field: Field, in attributes: Attributes) -> Domain? {
    if let typeField = typeIDField.flatMap(self.field(named:)), typeField.name == field.name,
      !types.isEmpty
    {
      return .codedValue(
        CodedValueDomain(
          name: field.name, codedValues: types.map { CodedValue(code: $0.id, name: $0.name) }))
    }
    return domain(of: field.name, in: attributes)
  }
}
