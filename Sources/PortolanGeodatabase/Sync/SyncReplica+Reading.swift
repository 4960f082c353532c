internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanXML

extension SyncReplica {
  /// Reads the definition of a registration; `nil` if it is none.
  init?(definition: String) {
    // What cannot be parsed is no registration.
    guard let root = try? XMLElement(parsing: definition),
      let id = root.text(of: "ReplicaID")?.trimmingCharacters(in: ["{", "}", " "]),
      let replicaID = UUID(uuidString: id), let serviceURL = root.text(of: "ServiceName"),
      let list = root.child("GPSyncDatasets")
    else { return nil }
    let shape = root.child("QueryGeometry")
    self.init(
      name: root.text(of: "ReplicaName") ?? "", replicaID: replicaID, serviceURL: serviceURL,
      owner: root.text(of: "Owner") ?? "",
      syncModel: root.text(of: "SyncModel").flatMap(SyncModel.init) ?? .perReplica,
      direction: Self.direction(root, "Direction", "esriSyncDirection"),
      attachmentsDirection: Self.direction(
        root, "AttachmentsSyncDirection", "esriAttachmentsSyncDirection"),
      created: root.text(of: "CreationDate").flatMap(CivilDate.init(parsing:))?.date
        ?? .distantPast,
      returnsAttachments: root.text(of: "ReturnsAttachments") == "true",
      geometry: shape.flatMap(Self.polygon), spatialReference: shape.flatMap(Self.reference),
      serverGeneration: root.text(of: "ReplicaServerGen").flatMap { Int64($0) },
      layers: list.children.compactMap(Layer.init))
  }

  private static func direction(
    _ root: XMLElement, _ name: String, _ prefix: String
  ) -> Direction {
    root.text(of: name).flatMap { Direction(rawValue: String($0.dropFirst(prefix.count))) }
      ?? .bidirectional
  }

  private static func polygon(_ element: XMLElement) -> Polygon? {
    let rings = (element.child("RingArray")?.children ?? []).compactMap { ring -> Path? in
      let points = (ring.child("PointArray")?.children ?? []).compactMap { point -> Coordinate? in
        guard let x = point.text(of: "X").flatMap(Double.init),
          let y = point.text(of: "Y").flatMap(Double.init)
        else { return nil }
        return Coordinate(x: x, y: y)
      }
      return points.count > 3 ? Path(points) : nil
    }
    return rings.isEmpty ? box(element) : Polygon(rings: rings)
  }

  private static func box(_ element: XMLElement) -> Polygon? {
    let edges = ["XMin", "YMin", "XMax", "YMax"].compactMap {
      (element.text(of: $0) ?? element.child("Extent")?.text(of: $0)).flatMap(Double.init)
    }
    guard edges.count == 4 else { return nil }
    let corners = [(0, 1), (0, 3), (2, 3), (2, 1), (0, 1)]
    return Polygon(rings: [Path(corners.map { Coordinate(x: edges[$0.0], y: edges[$0.1]) })])
  }

  private static func reference(_ element: XMLElement) -> SpatialReference? {
    let reference = element.child("SpatialReference")
    let number = reference?.text(of: "LatestWKID") ?? reference?.text(of: "WKID")
    return number.flatMap { Int($0) }.map { SpatialReference(wkid: $0) }
  }
}

extension SyncReplica.Layer {
  /// Reads a dataset; `nil` for attachments, which go with their features.
  fileprivate init?(_ element: XMLElement) {
    guard element.text(of: "IsAttachment") != "true",
      let id = element.text(of: "LayerID").flatMap({ Int($0) }), id >= 0
    else { return nil }
    self.init(
      layerID: id,
      serverGeneration: element.text(of: "ReplicaServerGen").flatMap { Int64($0) } ?? 0,
      usesGeometry: element.text(of: "UseGeometry") != "false",
      whereClause: element.text(of: "Where") ?? "",
      includesRelated: element.text(of: "IncludeRelated") != "false",
      queryOption: element.text(of: "QueryOption").flatMap(SyncReplica.QueryOption.init)
        ?? .useFilter)
  }
}
