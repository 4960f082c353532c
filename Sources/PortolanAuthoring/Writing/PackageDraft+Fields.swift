internal import PortolanFeatures

extension PackageDraft {
  /// Refuses to name fields that the package has under other names since others have the same letters: the
  /// layers would show the values of those.
  ///
  /// - Parameters:
  ///   - tables: The tables as their sources have them.
  ///   - written: The tables as the package has them.
  ///   - problems: Where such names are added.
  func checkFields(
    of tables: [PackageTable], as written: [FeatureTableSchema], _ problems: SpecificationProblems
  ) {
    for map in specification.maps {
      for layer in map.layers {
        guard let source = tables.first(where: { $0.schema.isCalled(layer.data) })?.schema,
          let schema = written.first(where: { $0.isCalled(layer.data) })
        else { continue }
        let search = map.search.filter { layer.answers(to: $0.layer) }
          .map { (name: $0.field, path: $0.path.member("field")) }
        for (name, path) in layer.namedFields + search {
          guard let field = schema.otherField(insteadOf: name, of: source) else { continue }
          problems.add(
            "\"\(field.name)\" has the same letters as \"\(name)\", which the package has under "
              + "another name. Give one of them a name of its own in the source.", at: path)
        }
      }
    }
  }
}

extension FeatureTableSchema {
  /// The field that a name leads to here, where it is another one than in the source; `nil` if it is the same.
  fileprivate func otherField(
    insteadOf name: String, of source: FeatureTableSchema
  ) -> Field? {
    guard let meant = source.field(named: name), let found = field(named: name),
      found.name != meant.name, source.fields.contains(where: { $0.name == found.name })
    else { return nil }
    return found
  }
}

extension LayerSpecification {
  /// The fields that the layer names, but for those in conditions, and where it does.
  fileprivate var namedFields: [(name: String, path: SpecificationPath)] {
    var named = (popup?.fields ?? []).map { (name: $0.name, path: $0.path) }
    if let field = renderer.field { named.append((field, renderer.fieldPath)) }
    var templates = [(text: labels?.text, path: labels?.path.member("text"))]
    templates.append((text: popup?.title, path: popup?.path.member("title")))
    templates.append((text: popup?.text, path: popup?.path.member("text")))
    for case (let text?, let path?) in templates {
      for case .field(let name) in FieldTemplate(text).parts { named.append((name, path)) }
    }
    return named
  }
}
