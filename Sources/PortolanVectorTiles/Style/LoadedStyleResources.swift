internal import Foundation
internal import PortolanExpressions
package import PortolanJSON
internal import PortolanMap
package import PortolanPackages
internal import PortolanTiles

/// The icons, glyphs and features of a style that have to be requested, gathered before anything is
/// drawn.
package struct LoadedStyleResources {
  /// The maximum number of ranges that a picture may request: 256 characters each.
  private static let maximumRanges = 96
  /// The requests that are under way at a time.
  private static let concurrency = 8

  private let resources: any StyleResources
  /// The resources that could not be loaded, in clauses for people.
  package private(set) var problems: [String] = []

  package init(_ resources: any StyleResources) { self.resources = resources }

  /// The sources whose features are requested.
  private static let maximumSources = 16
  /// Larger documents are not read.
  private static let maximumDocument = 64 << 20

  /// The style with the features that sources of its layers name by an address.
  package mutating func style(_ style: JSONValue) async -> JSONValue {
    guard var whole = style.object, var sources = whole.object("sources") else { return style }
    let layers = whole.objects("layers").filter {
      $0.object("layout")?.text("visibility") != "none"
    }
    let used = Set(layers.compactMap { $0.text("source") })
    let named = sources.members.filter { member in
      used.contains(member.name) && member.value["type"]?.string == "geojson"
        && member.value["data"]?.string != nil
    }
    guard !named.isEmpty else { return style }
    for (number, member) in named.enumerated() {
      guard var source = member.value.object, let address = source.text("data") else { continue }
      source["data"] =
        number < Self.maximumSources ? await features(at: address, of: member.name) : .null
      sources[member.name] = .object(source)
    }
    if named.count > Self.maximumSources {
      problems.append("its style has too many sources of features at addresses")
    }
    whole["sources"] = .object(sources)
    return .object(whole)
  }

  /// A document of features; null, and reported, if it cannot be loaded.
  private mutating func features(at address: String, of name: String) async -> JSONValue {
    let missing = "the features of the source \"\(name.prefix(60))\" of its style cannot be had"
    do throws(TileError) {
      let data = try await resources.file(at: address)
      // Data that is no document of features is reported like an absent one.
      guard data.count <= Self.maximumDocument, let json = try? JSONValue(parsing: data) else {
        problems.append("\(missing): this is no document of features")
        return .null
      }
      return json
    } catch {
      if error == .cancelled { return .null }
      problems.append("\(missing): \(error.clause)")
      return .null
    }
  }

  /// The icons; `nil` if there are none.
  package mutating func sprites(pixelRatio: Double) async -> SpriteSheet? {
    do {
      // Many styles have no icons for dense screens.
      let sharp = pixelRatio > 1 ? try? await sprites(isDouble: true) : nil
      if let sharp, sharp.problems == [] { return sharp }
      let plain = try await sprites(isDouble: false)
      // One of several that can be read for no screen does not cost the others their dense icons.
      let sheet = sharp?.problems == plain?.problems ? sharp ?? plain : plain
      problems += sheet?.problems ?? []
      return sheet
    } catch {
      if case TileError.cancelled = error { return nil }
      problems.append("its icons cannot be had")
      return nil
    }
  }

  private func sprites(isDouble: Bool) async throws -> SpriteSheet? {
    let sprites = try await resources.sprites(isDouble: isDouble)
    return sprites.isEmpty ? nil : SpriteSheet(sprites)
  }

  /// The glyphs that the texts of tiles need in the fonts of a style.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - read: The same as it was read.
  ///   - tiles: The tiles.
  ///   - zoom: The zoom of the map.
  /// - Returns: The fonts.
  package mutating func fonts(
    for style: JSONValue, _ read: VectorStyle, _ tiles: [PlacedVectorTile], zoom: Double
  ) async -> GlyphFonts {
    let needed = Self.ranges(of: style, tiles, Self.composedLetters(of: read, tiles, zoom: zoom))
    if needed.count > Self.maximumRanges {
      problems.append("its texts are in too many fonts and scripts")
    }
    let (resources, ranges) = (resources, Array(needed.prefix(Self.maximumRanges)))
    var answers: [Range: Result<Data?, TileError>] = [:]
    await withTaskGroup(of: Answer.self) { group in
      for (number, range) in ranges.enumerated() {
        if number >= Self.concurrency, let answer = await group.next() {
          answers[answer.range] = answer.glyphs
        }
        guard !Task.isCancelled else { break }
        group.addTask { await Self.answer(of: resources, to: range) }
      }
      for await answer in group { answers[answer.range] = answer.glyphs }
    }
    return GlyphFonts { [answers] stack, range throws(TileError) in
      try answers[Range(stack: stack, first: range.lowerBound)]?.get()
    }
  }

  /// 256 characters of a font.
  private struct Range: Hashable {
    let stack: String
    let first: Int
  }

  private struct Answer: Sendable {
    let range: Range
    let glyphs: Result<Data?, TileError>
  }

  /// Asks for the glyphs of a range.
  ///
  /// A function of its own: in the closure of a task that returns a pair, the optimizer of Swift 6.2 spoils
  /// the pair where a typed error is caught.
  private static func answer(
    of resources: any StyleResources, to range: Range
  ) async -> Answer {
    do throws(TileError) {
      let glyphs = try await resources.glyphs(
        fontStack: range.stack, range: range.first...range.first + 255)
      return Answer(range: range, glyphs: .success(glyphs))
    } catch {
      return Answer(range: range, glyphs: .failure(error))
    }
  }

  /// The letters of texts that are not just those of properties.
  private static func composedLetters(
    of style: VectorStyle, _ tiles: [PlacedVectorTile], zoom: Double
  ) -> Set<Unicode.Scalar> {
    var context = EvaluationContext(zoom: zoom)
    context.globalState = style.globalState
    var letters: Set<Unicode.Scalar> = []
    for layer in style.layers where layer.composesTexts && layer.zooms.contains(zoom) {
      let isOwnSource = style.geoJSON[layer.source] != nil
      for tile in tiles {
        layer.addLetters(of: tile, isOwnSource: isOwnSource, context, to: &letters)
      }
    }
    return letters
  }

  private static func ranges(
    of style: JSONValue, _ tiles: [PlacedVectorTile], _ letters: Set<Unicode.Scalar>
  ) -> [Range] {
    var stacks: [String] = []
    var fields = ""
    var blocks: Set<Int> = [0]
    for layer in style["layers"]?.array ?? [] {
      guard layer["type"]?.string == "symbol", let layout = layer["layout"],
        let field = layout["text-field"], !field.isNull
      else { continue }
      let text = field.text()
      fields += text
      for scalar in text.unicodeScalars { blocks.insert(Int(scalar.value) / 256) }
      let named = layout["text-font"].map(Self.stacks) ?? []
      let fontStacks = named.isEmpty ? ["Open Sans Regular,Arial Unicode MS Regular"] : named
      for stack in fontStacks + Self.sectionStacks(field)
      where !stacks.contains(stack) {
        stacks.append(stack)
      }
    }
    guard !stacks.isEmpty else { return [] }
    for tile in tiles {
      for feature in tile.tile.layers.lazy.flatMap(\.features) {
        for (name, value) in feature.properties.members {
          guard fields.contains(name), case .text(let text) = value else { continue }
          for scalar in text.unicodeScalars where scalar.value < 0x1_0000 {
            blocks.insert(Int(scalar.value) / 256)
          }
        }
      }
    }
    for letter in letters where letter.value < 0x1_0000 { blocks.insert(Int(letter.value) / 256) }
    // Arabic letters are drawn in the shapes that they take beside others.
    if blocks.contains(0x06) { blocks.formUnion([0xFB, 0xFE]) }
    return blocks.sorted().flatMap { block in
      stacks.map { Range(stack: $0, first: block * 256) }
    }
  }

  /// The fonts that sections of a text name.
  private static func sectionStacks(_ value: JSONValue) -> [String] {
    guard let object = value.object else { return (value.array ?? []).flatMap(sectionStacks) }
    return object["text-font"].map(stacks) ?? []
  }

  /// The fonts that a property names, anywhere in an expression.
  private static func stacks(_ value: JSONValue) -> [String] {
    if let object = value.object { return object.members.flatMap { stacks($0.value) } }
    guard let array = value.array else { return [] }
    let names = array.compactMap(\.string)
    guard names.count == array.count, !names.isEmpty else { return array.flatMap(stacks) }
    return names[0] == "literal" || names[0] == "get" ? [] : [names.joined(separator: ",")]
  }
}
