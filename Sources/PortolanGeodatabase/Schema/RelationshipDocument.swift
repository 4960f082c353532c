internal import PortolanFeatures
internal import PortolanXML

/// The XML definition of a relationship class, as `GDB_Items` holds it.
///
/// - SeeAlso: Docs/FORMATS.md, 2.4
struct RelationshipDocument: Hashable, Sendable {
  /// The name, which is also that of the table between the two, if there is one.
  let name: String
  let id: Int
  let origin: String
  let destination: String
  let isAttachment: Bool

  private let cardinality: RelationshipInfo.Cardinality
  private let isComposite: Bool
  private let forwardLabel: String?
  private let backwardLabel: String?
  private let originKey: String
  private let destinationKey: String
  private let joinKeys: JoinKeys?

  /// The fields of the table between the two.
  private struct JoinKeys: Hashable {
    let origin: String
    let destination: String
  }

  /// Reads a document; `nil` if it does not say which tables relate by which keys.
  init?(_ text: String, id: Int) {
    // A relation that cannot be parsed is left out; the tables stay readable without it.
    guard let root = try? XMLElement(parsing: text), root.name == "DERelationshipClassInfo",
      let name = root.text(of: "Name"),
      let origin = root.descendant("OriginClassNames", "Name")?.text,
      let destination = root.descendant("DestinationClassNames", "Name")?.text
    else { return nil }
    let keys =
      (root.child("OriginClassKeys")?.children ?? [])
      + (root.child("DestinationClassKeys")?.children ?? [])
    func key(_ role: String) -> String? {
      keys.first { $0.text(of: "KeyRole") == "esriRelKeyRole\(role)" }?.text(of: "ObjectKeyName")
    }
    guard let originKey = key("OriginPrimary"), let originForeign = key("OriginForeign") else {
      return nil
    }
    cardinality =
      root.text(of: "Cardinality").flatMap(RelationshipInfo.Cardinality.init(rawValue:))
      ?? .oneToMany
    if let primary = key("DestinationPrimary"), let foreign = key("DestinationForeign") {
      joinKeys = JoinKeys(origin: originForeign, destination: foreign)
      destinationKey = primary
    } else {
      guard cardinality != .manyToMany else { return nil }
      joinKeys = nil
      destinationKey = originForeign
    }
    self.name = TableName.unqualified(name)
    self.id = root.text(of: "DSID").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? id
    self.origin = TableName.unqualified(origin)
    self.destination = TableName.unqualified(destination)
    self.originKey = originKey
    isComposite = root.text(of: "IsComposite") == "true"
    isAttachment = root.text(of: "IsAttachmentRelationship") == "true"
    forwardLabel = root.text(of: "ForwardPathLabel")
    backwardLabel = root.text(of: "BackwardPathLabel")
  }

  /// The relation as a table sees it: none, one, or two for a table related to itself.
  func infos(of table: String) -> [RelationshipInfo] {
    var infos: [RelationshipInfo] = []
    if origin.isSameName(as: table) { infos.append(info(.origin)) }
    if destination.isSameName(as: table) { infos.append(info(.destination)) }
    return infos
  }

  private func info(_ role: RelationshipInfo.Role) -> RelationshipInfo {
    let isOrigin = role == .origin
    let join = joinKeys.map { keys in
      RelationshipInfo.JoinTable(
        name: name, keyField: isOrigin ? keys.origin : keys.destination,
        relatedKeyField: isOrigin ? keys.destination : keys.origin)
    }
    return RelationshipInfo(
      id: id, name: (isOrigin ? forwardLabel : backwardLabel) ?? name,
      relatedTable: isOrigin ? destination : origin, cardinality: cardinality, role: role,
      keyField: isOrigin ? originKey : destinationKey,
      relatedKeyField: isOrigin ? destinationKey : originKey, joinTable: join,
      isComposite: isComposite)
  }

  /// The keys of the relation between a table and its attachments.
  var attachmentKeys: (feature: String, attachment: String) { (originKey, destinationKey) }
}
