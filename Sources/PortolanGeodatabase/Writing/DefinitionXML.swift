internal import PortolanXML

/// The documents in `GDB_Items.Definition`, in the order of elements that real files have.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2 and 2.4
enum DefinitionXML {
  /// A document; its type names its root.
  static func document(_ type: String, _ children: [XMLElement]) -> String {
    XMLElement(
      type,
      attributes: [
        "xsi:type": "typens:\(type)",
        "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "xmlns:xs": "http://www.w3.org/2001/XMLSchema",
        "xmlns:typens": "http://www.esri.com/schemas/ArcGIS/10.7",
      ], children: children
    ).serialized
  }

  /// The document of the workspace.
  static var workspace: String {
    document(
      "DEWorkspace",
      [
        .value("CatalogPath", "\\"), .value("Name", ""), .value("ChildrenExpanded", false),
        .value("WorkspaceType", "esriRemoteDatabaseWorkspace"),
        .value("WorkspaceFactoryProgID", ""), .value("ConnectionString", ""),
        XMLElement("ConnectionInfo", attributes: ["xsi:nil": "true"]),
        .typed("Domains", "ArrayOfDomain"), .value("MajorVersion", "3"),
        .value("MinorVersion", "0"), .value("BugfixVersion", "0"),
      ])
  }

  /// The document of the marker that stands for the present; `moment` as `2019-07-12T11:10:35`.
  static func historicalMarker(_ moment: String) -> String {
    document(
      "GPHistoricalMarker",
      [
        .value("Name", "DEFAULT"),
        XMLElement("TimeStamp", attributes: ["xsi:type": "xs:dateTime"], text: moment),
      ])
  }

  /// The beginning of all datasets.
  static func dataset(
    _ qualifiedName: String, type: String, itemID: Int64, canVersion: Bool, clientVersion: String
  ) -> [XMLElement] {
    [
      .value("CatalogPath", "\\\(qualifiedName)"), .value("Name", qualifiedName),
      .value("ChildrenExpanded", false), .value("DatasetType", type),
      .value("DSID", "\(itemID)"), .value("Versioned", false), .value("CanVersion", canVersion),
      .value("ConfigurationKeyword", ""), .value("RequiredGeodatabaseClientVersion", clientVersion),
    ]
  }

  /// The extensions of tables and relationship classes.
  static func extensions() -> [XMLElement] {
    [
      .value("RasterFieldName", ""),
      .typed(
        "ExtensionProperties", "PropertySet",
        [.typed("PropertyArray", "ArrayOfPropertySetProperty")]),
      .typed("ControllerMemberships", "ArrayOfControllerMembership"),
    ]
  }
}

extension XMLElement {
  /// An element with text.
  static func value(_ name: String, _ text: String) -> XMLElement { XMLElement(name, text: text) }

  /// An element with a truth value.
  static func value(_ name: String, _ isTrue: Bool) -> XMLElement {
    XMLElement(name, text: isTrue ? "true" : "false")
  }

  /// An element with a number; whole ones have no fraction.
  static func value(_ name: String, _ number: Double) -> XMLElement {
    let isWhole = number == number.rounded() && abs(number) < 1e15
    return XMLElement(name, text: isWhole ? "\(Int64(number))" : "\(number)")
  }

  /// An element that says which type of Esri's schema it has.
  static func typed(
    _ name: String, _ type: String, _ children: [XMLElement] = []
  ) -> XMLElement {
    XMLElement(name, attributes: ["xsi:type": "typens:\(type)"], children: children)
  }

  /// A list of names.
  static func names(_ name: String, _ names: [String]) -> XMLElement {
    .typed(name, "Names", names.map { .value("Name", $0) })
  }
}
