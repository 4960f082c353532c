internal import PortolanFeatures
internal import PortolanGeometry

/// A layer that is open for editing.
struct EditTarget: Sendable {
  /// The layer's key in the map.
  let layerID: String
  /// The layer's title.
  let layerTitle: String
  /// The table.
  let schema: FeatureTableSchema
  /// The store that holds it.
  let store: any EditableFeatureStore
  /// Checks edits before they are stored.
  let validator: FeatureValidator
  /// The edits that the author of the map permits; everything if `nil`.
  let rights: AuthoredRights?

  /// The place of an error that people are told about.
  func place(of objectID: Int64?) -> EditPlace { EditPlace(table: layerTitle, objectID: objectID) }

  /// An error of its store as a problem, in which the title of the layer stands for the name of its table.
  func problem(_ error: any Error) -> Problem {
    guard let error = error as? FeatureEditError else { return Problem(error) }
    return Problem(error.naming(layer: layerTitle, of: schema.name))
  }

  /// The shape that a sketch makes for the layer.
  ///
  /// - Throws: as ``Sketch/geometry(for:replacing:)`` does.
  func geometry(of sketch: Sketch, replacing former: Geometry?) throws(Problem) -> Geometry {
    guard schema.geometryType != nil else {
      throw Problem(FeatureEditError.geometryNotAllowed(place(of: nil)))
    }
    return try sketch.geometry(for: schema, replacing: former)
  }
}
