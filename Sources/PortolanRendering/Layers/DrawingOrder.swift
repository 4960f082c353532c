internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap

/// The order in which the features of a layer are drawn, by its `orderBy`.
///
/// - SeeAlso: [orderBy](https://developers.arcgis.com/web-map-specification/objects/orderBy/)
struct DrawingOrder {
  /// The order in which features are read; those that are read last are drawn on top.
  private(set) var terms: [QueryParameters.OrderBy] = []
  /// The reason why the order is that of the table instead, in a clause for people.
  private(set) var problem: String?

  init(_ layer: Layer, _ schema: FeatureTableSchema) {
    for entry in layer.json.objects("orderBy") + layer.layerDefinition.orderBy {
      guard let field = entry.text("field").flatMap({ schema.field(named: $0) }) else {
        terms = []
        problem = "its features are drawn in the order of the table, not as it asks"
        return
      }
      // Ascending means that small values lie on top, so the greatest are drawn first.
      let isDescending = entry.text("order")?.lowercased().hasPrefix("desc") ?? false
      terms.append(QueryParameters.OrderBy(field.name, isDescending: !isDescending))
    }
  }
}
