internal import PortolanFeatures

extension FeatureTableSchema {
  /// The values that people are offered for a field of a feature: the subtypes where it says which one the feature
  /// is of, else those that the subtype or the field allows.
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
