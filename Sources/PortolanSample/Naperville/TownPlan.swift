internal import Foundation
internal import PortolanGeometry

/// The plan of a made-up town: streets on a bent grid, a river, parks; in degrees.
///
/// Nothing of it is real but the place on Earth. It is the same every time.
struct TownPlan {
  /// Streets in each direction.
  static let streetCount = 34
  /// The extent, in degrees.
  static let extent = Envelope(xMin: -88.205, yMin: 41.73, xMax: -88.096, yMax: 41.80)

  private static let origin = Coordinate(x: -88.2, y: 41.735)
  private static let block = Coordinate(x: 0.003, y: 0.0018)

  /// A street, by its name, from one end to the other.
  struct Street {
    var name: String
    var isAvenue: Bool
    var index: Int

    /// Whether it is one of the wide ones.
    var isArterial: Bool { index % 6 == 2 }
  }

  /// A piece of a street between two crossings.
  struct Block {
    var street: Street
    /// The number of the crossing where it begins.
    var number: Int
    var start: Coordinate
    var end: Coordinate

    /// A place along the block, so far from its start as a part of its length, and so far to the
    /// left of it, in degrees.
    func place(at part: Double, aside: Double = 0) -> Coordinate {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let length = (dx * dx + dy * dy).squareRoot()
      return Coordinate(
        x: start.x + dx * part - dy / length * aside, y: start.y + dy * part + dx / length * aside)
    }

    /// The length, in metres.
    var length: Double {
      let east = (end.x - start.x) * 111_320 * cos(start.y * .pi / 180)
      let north = (end.y - start.y) * 110_574
      return (east * east + north * north).squareRoot()
    }
  }

  /// The avenues, from west to east, then the streets, from south to north.
  let streets: [Street] =
    zip(Self.avenueNames, 0...).map { Street(name: "\($0) Avenue", isAvenue: true, index: $1) }
    + zip(Self.streetNames, 0...).map { Street(name: "\($0) Street", isAvenue: false, index: $1) }

  /// Where an avenue crosses a street.
  func crossing(_ avenue: Int, _ street: Int) -> Coordinate {
    let (x, y) = (Double(avenue), Double(street))
    return Coordinate(
      x: Self.origin.x + (x + 0.35 * sin(y / 5) + 0.1 * sin(x * 1.7)) * Self.block.x,
      y: Self.origin.y + (y + 0.4 * sin(x / 6) + 0.1 * cos(y * 1.3)) * Self.block.y)
  }

  /// All pieces of all streets.
  var blocks: [Block] {
    streets.flatMap { street in
      (0..<Self.streetCount - 1).map { number in
        let places = [number, number + 1].map {
          street.isAvenue ? crossing(street.index, $0) : crossing($0, street.index)
        }
        return Block(street: street, number: number, start: places[0], end: places[1])
      }
    }
  }

  /// The banks of the river, from north to south and back.
  var river: [Coordinate] {
    let steps = stride(from: Self.extent.yMax, through: Self.extent.yMin, by: -0.0015)
    func bank(_ y: Double, _ side: Double) -> Coordinate {
      Coordinate(x: -88.148 + 0.009 * sin(y * 130) + 0.0035 * sin(y * 310) + side, y: y)
    }
    let west = steps.map { bank($0, -0.0006) }
    let east = steps.map { bank($0, 0.0006) }.reversed()
    return west + east + west.prefix(1)
  }

  /// Parks: a few blocks each.
  var parks: [(name: String, ring: [Coordinate])] {
    Self.parkNames.enumerated().map { index, name in
      let avenue = (index * 13 + 3) % (Self.streetCount - 3)
      let street = (index * 7 + 5) % (Self.streetCount - 3)
      let (wide, high) = (1 + index % 2, 1 + (index / 2) % 2)
      let corners = [(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)]
      return (name, corners.map { crossing(avenue + $0.0, street + $0.1) })
    }
  }

  private static let avenueNames = [
    "Alder", "Ash", "Aspen", "Basswood", "Beech", "Birch", "Butternut", "Catalpa", "Cedar",
    "Cherry", "Chestnut", "Cottonwood", "Cypress", "Dogwood", "Elder", "Elm", "Fir", "Hawthorn",
    "Hazel", "Hemlock", "Hickory", "Juniper", "Larch", "Linden", "Locust", "Maple", "Mulberry",
    "Oak", "Pine", "Poplar", "Spruce", "Sumac", "Sycamore", "Walnut",
  ]

  private static let streetNames = [
    "Abbot", "Baker", "Barrow", "Bishop", "Carver", "Chandler", "Clark", "Cooper", "Draper",
    "Ferry", "Fisher", "Fletcher", "Foster", "Gardner", "Granger", "Harper", "Hooper", "Hunter",
    "Judge", "Main", "Marshall", "Mason", "Mercer", "Miller", "Palmer", "Parker", "Porter",
    "Sawyer", "Shepherd", "Tanner", "Turner", "Wainwright", "Weaver", "Wheeler",
  ]

  private static let parkNames = [
    "Mill Park", "Commons", "Quarry Park", "Prairie Green", "Riverbend", "Founders Square",
    "Cricket Field", "Orchard Park", "Meadow", "Harvest Green",
  ]
}
