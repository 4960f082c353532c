public import Foundation
internal import PortolanXML

/// A replica that was requested of a service, whose answer is not known yet.
public struct RequestedCopy: Hashable, Sendable, Codable {
  /// The name that it was requested under.
  public var name: String
  /// What distinguishes the home that asked from copies of it.
  public var home: String?
  /// Where the service reports its progress in making it; `nil` if it has not said, or makes replicas at
  /// once.
  public var statusURL: URL?
  /// The id of the replica, where the service has answered with it.
  public var replicaID: String?

  /// Creates what is known of such a replica.
  public init(
    name: String, home: String? = nil, statusURL: URL? = nil, replicaID: String? = nil
  ) {
    self.name = name
    self.home = home
    self.statusURL = statusURL
    self.replicaID = replicaID
  }

  /// Whether the service has answered the request, so that it makes none later on.
  public var isAnswered: Bool { statusURL != nil || replicaID != nil }
}

/// The registration of a geodatabase at its service, and the generations it has reached.
public struct GeodatabaseSyncState: Hashable, Sendable {
  /// A layer or table that is synchronized.
  public struct Layer: Hashable, Sendable {
    /// The number in the service.
    public var layerID: Int
    /// The name of the table in the file.
    public var table: String
    /// The generation of the service up to which the file has its changes.
    public var serverGeneration: Int64
  }

  /// The name under which the service knows the replica.
  public var name: String
  /// The id under which the service knows the replica.
  public var replicaID: UUID
  /// The address of the service.
  public var serviceURL: String
  /// What is synchronized as one.
  public var syncModel: SyncReplica.SyncModel
  /// The generation, where the whole is synchronized as one.
  public var serverGeneration: Int64?
  /// When everything was synchronized last; `nil` if never.
  public var lastSync: Date?
  /// The layers and tables.
  public var layers: [Layer]
  /// What distinguishes the map and home for which the replica was registered from copies of them; `nil`
  /// if that is unknown.
  public var home: String?
  /// The replica that the service was asked for in place of this one; `nil` for none, or none any
  /// more.
  public var requestedCopy: RequestedCopy?

  /// Whether a service knows the replica.
  public var isRegistered: Bool {
    replicaID.uuidString != "00000000-0000-0000-0000-000000000000"
  }

  /// Reads the definition of a replica; `nil` if it is none.
  init?(definition: String) {
    // What cannot be parsed is no registration.
    guard let root = try? XMLElement(parsing: definition),
      let id = root.text(of: "ReplicaID")?.trimmingCharacters(in: ["{", "}", " "]),
      let replicaID = UUID(uuidString: id), let serviceURL = root.text(of: "ServiceName"),
      let list = root.child("GPSyncDatasets")
    else { return nil }
    self.replicaID = replicaID
    name = root.text(of: "ReplicaName") ?? ""
    self.serviceURL = serviceURL
    syncModel = root.text(of: "SyncModel").flatMap(SyncReplica.SyncModel.init) ?? .perReplica
    serverGeneration = root.text(of: "ReplicaServerGen").flatMap { Int64($0) }
    layers = list.children.compactMap(Layer.init)
  }
}

extension GeodatabaseSyncState.Layer {
  /// Reads a dataset; `nil` for attachments, which go with their features.
  fileprivate init?(_ element: XMLElement) {
    guard element.text(of: "IsAttachment") != "true",
      let id = element.text(of: "LayerID").flatMap({ Int($0) }), id >= 0,
      let name = element.text(of: "DatasetName")?.split(separator: ".").last
    else { return nil }
    layerID = id
    table = String(name)
    serverGeneration = element.text(of: "ReplicaServerGen").flatMap { Int64($0) } ?? 0
  }
}

/// Writes generations into the definition of a replica, and leaves all else as it is.
struct ReplicaDefinition {
  private(set) var text: String

  /// Writes the generation of a layer.
  mutating func setGeneration(_ generation: Int64, ofLayer id: Int) {
    var pieces = text.components(separatedBy: "<GPSyncDataset ")
    for index in pieces.indices.dropFirst() where pieces[index].contains("<LayerID>\(id)</LayerID>")
    {
      // The last piece has what follows the datasets, too.
      let parts = pieces[index].components(separatedBy: "</GPSyncDataset>")
      let own = Self.replacing("ReplicaServerGen", in: parts[0], with: "\(generation)")
      pieces[index] = ([own] + parts.dropFirst()).joined(separator: "</GPSyncDataset>")
    }
    text = pieces.joined(separator: "<GPSyncDataset ")
  }

  /// Writes the generation of the whole.
  mutating func setGeneration(_ generation: Int64) {
    var parts = text.components(separatedBy: "</GPSyncDatasets>")
    guard let last = parts.popLast() else { return }
    parts.append(Self.replacing("ReplicaServerGen", in: last, with: "\(generation)"))
    text = parts.joined(separator: "</GPSyncDatasets>")
  }

  /// Writes under which id and name the service knows the replica.
  mutating func setReplica(_ id: UUID, named name: String) {
    text = Self.replacing("ReplicaID", in: text, with: "{\(id.uuidString)}")
    // A name that means something in XML is not worth a parser; the id is what counts.
    guard !name.contains(where: { "<>&".contains($0) }) else { return }
    text = Self.replacing("ReplicaName", in: text, with: name)
  }

  /// Removes layers, so that they no longer count as part of the replica.
  mutating func removeLayers(_ ids: Set<Int>) {
    let end = "</GPSyncDataset>"
    let pieces = text.components(separatedBy: "<GPSyncDataset ")
    var kept = Array(pieces.prefix(1))
    for piece in pieces.dropFirst() {
      let parts = piece.components(separatedBy: end)
      guard ids.contains(where: { parts[0].contains("<LayerID>\($0)</LayerID>") }) else {
        kept.append(piece)
        continue
      }
      // The last piece has what follows the datasets, too.
      kept[kept.endIndex - 1] += parts.dropFirst().joined(separator: end)
    }
    text = kept.joined(separator: "<GPSyncDataset ")
  }

  /// Writes when everything was synchronized.
  mutating func setLastSync(_ date: Date) {
    text = Self.replacing(
      "LastSyncDate", in: text, with: DefinitionXML.dateTime(date) + ".000000")
  }

  private static func replacing(_ name: String, in text: String, with value: String) -> String {
    guard let start = text.range(of: "<\(name)>"),
      let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
    else { return text }
    return text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: value)
  }
}
