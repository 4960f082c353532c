internal import Foundation
internal import PortolanMap
internal import PortolanPackages

// The sources of the layers: files of this device, which are waited for, and services, which may
// never answer.
extension MapModel {
  /// The number of layers that are loaded at once, so that files that are locked elsewhere are
  /// waited for together.
  private static let loadsAtOnce = 8

  /// The time for which a map stays closed because of layers that only their services have.
  private static let patience = Duration.seconds(5)

  /// Finds the data of all layers; a layer without gets its reason, the others work.
  ///
  /// Layers that were left to services which do not answer soon come when they are there.
  public func load() async {
    await load(tree.ordered + tree.tables.compactMap(tree.node))
    noteLoaded()
  }

  /// Finds the data of one layer again, since what is behind it has changed.
  func reload(_ key: String) async {
    guard let node = tree.node(key) else { return }
    await load([node])
    featuresHaveChanged()
    refresh()
  }

  /// Asks again for layers that are at services alone and could not be loaded, as when there is a
  /// network again.
  public func loadMissingAgain() async {
    let missing = (tree.ordered + tree.tables.compactMap(tree.node)).filter {
      $0.layer.isOnlineOnly && state.problems[$0.id] != nil
    }
    guard !missing.isEmpty else { return }
    await load(missing)
    featuresHaveChanged()
    refresh()
  }

  /// Whether a layer lacks its data though the map has it in a file of a kind that can be read.
  static func isUnreadable(_ content: LayerContent, of layer: Layer) -> Bool {
    guard case .unavailable = content else { return false }
    return layer.path != nil && layer.offlineSupport == .supported
  }

  /// Gives up on services that have not answered yet, since the map is no longer on screen.
  func stopLoading() {
    for load in lateLoads.values { load.cancel() }
    lateLoads = [:]
  }

  /// Finds the data of some layers.
  func load(_ nodes: [LayerTree.Node]) async {
    let wait = ask(nodes.filter(\.layer.isOnlineOnly))
    await loadAtOnce(nodes.filter { !$0.layer.isOnlineOnly }) { take($1, of: $0) }
    for node in await wait.missing(after: Self.patience, on: clock) {
      let host = node.layer.url.flatMap { URL(string: $0)?.host() }.map { " \($0)" } ?? ""
      take(.unavailable(reason: "Online only; its server\(host) has not answered yet."), of: node)
    }
  }

  /// Begins to ask services for their layers.
  private func ask(_ nodes: [LayerTree.Node]) -> LayerWait {
    let wait = LayerWait(nodes)
    guard !nodes.isEmpty else { return wait }
    lateLoads[ObjectIdentifier(wait)] = Task { [weak self] in
      await self?.loadAtOnce(nodes) { node, content in
        guard let self, !Task.isCancelled else { return }
        self.take(content, of: node)
        guard wait.note(node) else { return }
        self.featuresHaveChanged()
        self.refresh()
      }
      wait.end()
      self?.lateLoads[ObjectIdentifier(wait)] = nil
    }
    return wait
  }

  private func loadAtOnce(
    _ nodes: [LayerTree.Node], taking take: (LayerTree.Node, LayerContent) -> Void
  ) async {
    let source = map.contents
    var rest = nodes[...]
    await withTaskGroup(of: FoundLayer.self) { group in
      for node in rest.prefix(Self.loadsAtOnce) {
        group.addTask { await FoundLayer(node, in: source) }
      }
      rest = rest.dropFirst(Self.loadsAtOnce)
      for await found in group {
        noteSignIn(isWanted: found.wantsSignIn, for: found.node)
        take(found.node, found.content)
        if let next = rest.popFirst() {
          group.addTask { await FoundLayer(next, in: source) }
        }
      }
    }
  }
}

/// The data of a layer, and whether its server requires a sign-in first.
private struct FoundLayer: Sendable {
  let node: LayerTree.Node
  let content: LayerContent
  let wantsSignIn: Bool

  init(_ node: LayerTree.Node, in source: any LayerContentSource) async {
    self.node = node
    content = await source.content(of: node.layer)
    wantsSignIn = await source.wantsSignIn(for: node.layer)
  }
}

/// Waits for layers that are being loaded from services.
@MainActor
private final class LayerWait {
  private var waited: [LayerTree.Node]
  private var isOver = false
  private let (ends, ending) = AsyncStream.makeStream(of: Void.self)

  init(_ nodes: [LayerTree.Node]) {
    waited = nodes
  }

  /// Takes note that a layer is there; `true` if it is no longer waited for.
  func note(_ node: LayerTree.Node) -> Bool {
    waited.removeAll { $0.id == node.id }
    return isOver
  }

  /// There is nothing left to wait for.
  func end() { ending.finish() }

  /// The layers that are not there once all are, or once some time has passed.
  func missing(after limit: Duration, on clock: any Clock<Duration>) async -> [LayerTree.Node] {
    guard !waited.isEmpty else { return [] }
    let ending = ending
    let timer = Task {
      do { try await clock.sleep(for: limit) } catch { return }
      ending.finish()
    }
    for await _ in ends {}
    timer.cancel()
    isOver = true
    return waited
  }
}
