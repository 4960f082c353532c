internal import PortolanJSON

/// Which parts of an icon are stretched around a text, and where in it the text stands.
///
/// - SeeAlso: [Sprites](https://maplibre.org/maplibre-style-spec/sprite/)
struct IconStretch: Sendable {
  var columns: Axis
  var rows: Axis

  /// What the index of icons says of one; `nil` if all of the icon is stretched alike.
  init?(_ entry: JSONObject, width: Int, height: Int) {
    guard entry["stretchX"] != nil || entry["stretchY"] != nil || entry["content"] != nil else {
      return nil
    }
    let content = entry["content"]?.array?.compactMap(\.double) ?? []
    let box = content.count == 4 ? content : [0, 0, Double(width), Double(height)]
    columns = Axis(entry["stretchX"], size: Double(width), content: (box[0], box[2]))
    rows = Axis(entry["stretchY"], size: Double(height), content: (box[1], box[3]))
  }

  /// The parts along one side, in pixels of the icon.
  struct Axis: Sendable {
    /// Parts of more are taken for one.
    private static let maximumParts = 64

    let size: Double
    /// Where the text stands.
    private let content: ClosedRange<Double>
    /// The parts that are stretched, which rise and do not touch.
    private let parts: [Range<Double>]

    init(_ json: JSONValue?, size: Double, content: (Double, Double)) {
      self.size = size
      let (start, end) = (min(max(content.0, 0), size), min(max(content.1, 0), size))
      self.content = start < end ? start...end : 0...size
      var parts: [Range<Double>] = []
      for pair in (json?.array ?? []).prefix(Self.maximumParts) {
        guard let low = pair[0]?.double, let high = pair[1]?.double, low < high,
          low >= parts.last?.upperBound ?? 0, high <= size
        else { continue }
        parts.append(low..<high)
      }
      self.parts = parts.isEmpty ? [0..<size] : parts
    }

    /// The side as long as a text needs it.
    ///
    /// - Parameters:
    ///   - length: What the text needs, in pixels of the picture.
    ///   - scale: The pixels of the picture along one of the icon, where it is not stretched.
    /// - Returns: How the side is laid out.
    func stretched(to length: Double, scale: Double) -> Layout {
      let pieces = pieces
      let inside = pieces.map { piece -> (length: Double, isStretched: Bool) in
        let part = piece.range.clamped(to: content.lowerBound..<content.upperBound)
        return (part.upperBound - part.lowerBound, piece.isStretched)
      }
      let rigid = inside.reduce(0) { $0 + ($1.isStretched ? 0 : $1.length) } * scale
      let soft = inside.reduce(0) { $0 + ($1.isStretched ? $1.length : 0) }
      let growth = soft > 0 ? max(length - rigid, 0) / soft : scale
      return Layout(
        pieces: pieces.map { ($0.range, $0.isStretched ? growth : scale) },
        contentStart: content.lowerBound)
    }

    /// All parts of the side, those between the stretched ones too.
    private var pieces: [(range: Range<Double>, isStretched: Bool)] {
      var pieces: [(range: Range<Double>, isStretched: Bool)] = []
      var end = 0.0
      for part in parts {
        if end < part.lowerBound { pieces.append((end..<part.lowerBound, false)) }
        pieces.append((part, true))
        end = part.upperBound
      }
      if end < size { pieces.append((end..<size, false)) }
      return pieces
    }
  }

  /// A side whose parts have their lengths.
  struct Layout {
    /// Parts of the icon, each with the pixels of the picture along one of its own.
    let pieces: [(range: Range<Double>, growth: Double)]
    /// Where the text starts, in pixels of the icon.
    let contentStart: Double

    /// How long the side is, in pixels of the picture.
    var length: Double {
      pieces.reduce(0) { $0 + ($1.range.upperBound - $1.range.lowerBound) * $1.growth }
    }

    /// From the start of the side to that of the text, in pixels of the picture.
    var contentOffset: Double {
      pieces.reduce(0) { sum, piece in
        let end = min(max(contentStart, piece.range.lowerBound), piece.range.upperBound)
        return sum + (end - piece.range.lowerBound) * piece.growth
      }
    }

    /// The places on the icon of so many pixels of the side, which share it evenly.
    func places(_ count: Int) -> [Double] {
      let step = length / Double(max(count, 1))
      var (index, start) = (0, 0.0)
      return (0..<count).map { number in
        let place = (Double(number) + 0.5) * step
        var piece = pieces[index]
        var reach = (piece.range.upperBound - piece.range.lowerBound) * piece.growth
        while place > start + reach, index + 1 < pieces.count {
          start += reach
          index += 1
          piece = pieces[index]
          reach = (piece.range.upperBound - piece.range.lowerBound) * piece.growth
        }
        return piece.range.lowerBound + (piece.growth > 0 ? (place - start) / piece.growth : 0)
      }
    }
  }
}
