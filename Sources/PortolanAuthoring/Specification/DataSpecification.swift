internal import PortolanGeometry

/// A table of the package, and where its rows come from.
struct DataSpecification: Sendable {
  /// A name for people.
  struct Alias: Sendable {
    var field: String
    var text: String
    var path: SpecificationPath
  }

  /// The name of the table.
  var name: String
  var path: SpecificationPath
  /// The file, as it is written.
  var file: String
  var filePath: SpecificationPath
  /// The table of the file, if it has several.
  var table: String?
  var tablePath: SpecificationPath
  var title: String?
  var displayField: String?
  var displayFieldPath: SpecificationPath
  var aliases: [Alias]
  var whereClause: String?
  var wherePath: SpecificationPath
  /// The columns of a text file with the coordinates of points.
  var xColumn: String?
  var yColumn: String?
  /// The spatial reference of coordinates, where their file does not say.
  var spatialReference: SpatialReference?

  init(_ name: String, _ node: SpecificationNode) {
    self.name = name
    path = node.path
    node.allow([
      "file", "table", "title", "displayField", "fields", "where", "x", "y", "spatialReference",
    ])
    file = node.required("file")
    filePath = node.place(of: "file")
    table = node.text("table")
    tablePath = node.place(of: "table")
    title = node.text("title")
    displayField = node.text("displayField")
    displayFieldPath = node.place(of: "displayField")
    let fields = node.node("fields")
    aliases =
      fields?.names.compactMap { field in
        fields?.text(field).map {
          Alias(field: field, text: $0, path: fields?.place(of: field) ?? node.path)
        }
      } ?? []
    whereClause = node.text("where")
    wherePath = node.place(of: "where")
    xColumn = node.text("x")
    yColumn = node.text("y")
    spatialReference = node.reference("spatialReference")
  }
}
