// Arithmetic on integers as machine code against the reference: each width, with
// sign and without.
//
// RUN: test-compiled-graphs %s --shape batch=19 --range a=-100:100,b=1:60,c=0:8 | FileCheck %s
// CHECK: integers agrees
module @integers {

blocks.graph @i8(%a: tensor<?xi64> {blocks.source = "a", blocks.axes = ["batch"]},
    %b: tensor<?xi64> {blocks.source = "b", blocks.axes = ["batch"]},
    %c: tensor<?xi64> {blocks.source = "c", blocks.axes = ["batch"]}) {
  %a8 = blocks.cast %a : tensor<?xi64> to tensor<?xi8>
  %b8 = blocks.cast %b : tensor<?xi64> to tensor<?xi8>
  %c8 = blocks.cast %c : tensor<?xi64> to tensor<?xi8>
  %addi = arith.addi %a8, %b8 : tensor<?xi8>
  %subi = arith.subi %a8, %b8 : tensor<?xi8>
  %muli = arith.muli %a8, %b8 : tensor<?xi8>
  %divsi = arith.divsi %a8, %b8 : tensor<?xi8>
  %remsi = arith.remsi %a8, %b8 : tensor<?xi8>
  %divui = arith.divui %a8, %b8 : tensor<?xi8>
  %remui = arith.remui %a8, %b8 : tensor<?xi8>
  %maxsi = arith.maxsi %a8, %b8 : tensor<?xi8>
  %minsi = arith.minsi %a8, %b8 : tensor<?xi8>
  %maxui = arith.maxui %a8, %b8 : tensor<?xi8>
  %minui = arith.minui %a8, %b8 : tensor<?xi8>
  %andi = arith.andi %a8, %b8 : tensor<?xi8>
  %ori = arith.ori %a8, %b8 : tensor<?xi8>
  %xori = arith.xori %a8, %b8 : tensor<?xi8>
  %shli = arith.shli %a8, %c8 : tensor<?xi8>
  %shrsi = arith.shrsi %a8, %c8 : tensor<?xi8>
  %shrui = arith.shrui %a8, %c8 : tensor<?xi8>
  %absi = math.absi %a8 : tensor<?xi8>
  %same = arith.xori %a8, %a8 : tensor<?xi8>
  %none = arith.subi %a8, %a8 : tensor<?xi8>
  %is_eq = arith.cmpi eq, %a8, %b8 : tensor<?xi8>
  %eq = arith.select %is_eq, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_ne = arith.cmpi ne, %a8, %b8 : tensor<?xi8>
  %ne = arith.select %is_ne, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_slt = arith.cmpi slt, %a8, %b8 : tensor<?xi8>
  %slt = arith.select %is_slt, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_sle = arith.cmpi sle, %a8, %b8 : tensor<?xi8>
  %sle = arith.select %is_sle, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_sgt = arith.cmpi sgt, %a8, %b8 : tensor<?xi8>
  %sgt = arith.select %is_sgt, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_sge = arith.cmpi sge, %a8, %b8 : tensor<?xi8>
  %sge = arith.select %is_sge, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_ult = arith.cmpi ult, %a8, %b8 : tensor<?xi8>
  %ult = arith.select %is_ult, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_ule = arith.cmpi ule, %a8, %b8 : tensor<?xi8>
  %ule = arith.select %is_ule, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_ugt = arith.cmpi ugt, %a8, %b8 : tensor<?xi8>
  %ugt = arith.select %is_ugt, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %is_uge = arith.cmpi uge, %a8, %b8 : tensor<?xi8>
  %uge = arith.select %is_uge, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  %always = arith.cmpi eq, %a8, %a8 : tensor<?xi8>
  %one = arith.select %always, %a8, %b8 : tensor<?xi1>, tensor<?xi8>
  blocks.output %addi "addi" : tensor<?xi8>
  blocks.output %subi "subi" : tensor<?xi8>
  blocks.output %muli "muli" : tensor<?xi8>
  blocks.output %divsi "divsi" : tensor<?xi8>
  blocks.output %remsi "remsi" : tensor<?xi8>
  blocks.output %divui "divui" : tensor<?xi8>
  blocks.output %remui "remui" : tensor<?xi8>
  blocks.output %maxsi "maxsi" : tensor<?xi8>
  blocks.output %minsi "minsi" : tensor<?xi8>
  blocks.output %maxui "maxui" : tensor<?xi8>
  blocks.output %minui "minui" : tensor<?xi8>
  blocks.output %andi "andi" : tensor<?xi8>
  blocks.output %ori "ori" : tensor<?xi8>
  blocks.output %xori "xori" : tensor<?xi8>
  blocks.output %shli "shli" : tensor<?xi8>
  blocks.output %shrsi "shrsi" : tensor<?xi8>
  blocks.output %shrui "shrui" : tensor<?xi8>
  blocks.output %absi "absi" : tensor<?xi8>
  blocks.output %same "same" : tensor<?xi8>
  blocks.output %none "none" : tensor<?xi8>
  blocks.output %eq "eq" : tensor<?xi8>
  blocks.output %ne "ne" : tensor<?xi8>
  blocks.output %slt "slt" : tensor<?xi8>
  blocks.output %sle "sle" : tensor<?xi8>
  blocks.output %sgt "sgt" : tensor<?xi8>
  blocks.output %sge "sge" : tensor<?xi8>
  blocks.output %ult "ult" : tensor<?xi8>
  blocks.output %ule "ule" : tensor<?xi8>
  blocks.output %ugt "ugt" : tensor<?xi8>
  blocks.output %uge "uge" : tensor<?xi8>
  blocks.output %one "one" : tensor<?xi8>
}

blocks.graph @i16(%a: tensor<?xi64> {blocks.source = "a", blocks.axes = ["batch"]},
    %b: tensor<?xi64> {blocks.source = "b", blocks.axes = ["batch"]},
    %c: tensor<?xi64> {blocks.source = "c", blocks.axes = ["batch"]}) {
  %a16 = blocks.cast %a : tensor<?xi64> to tensor<?xi16>
  %b16 = blocks.cast %b : tensor<?xi64> to tensor<?xi16>
  %c16 = blocks.cast %c : tensor<?xi64> to tensor<?xi16>
  %addi = arith.addi %a16, %b16 : tensor<?xi16>
  %subi = arith.subi %a16, %b16 : tensor<?xi16>
  %muli = arith.muli %a16, %b16 : tensor<?xi16>
  %divsi = arith.divsi %a16, %b16 : tensor<?xi16>
  %remsi = arith.remsi %a16, %b16 : tensor<?xi16>
  %divui = arith.divui %a16, %b16 : tensor<?xi16>
  %remui = arith.remui %a16, %b16 : tensor<?xi16>
  %maxsi = arith.maxsi %a16, %b16 : tensor<?xi16>
  %minsi = arith.minsi %a16, %b16 : tensor<?xi16>
  %maxui = arith.maxui %a16, %b16 : tensor<?xi16>
  %minui = arith.minui %a16, %b16 : tensor<?xi16>
  %andi = arith.andi %a16, %b16 : tensor<?xi16>
  %ori = arith.ori %a16, %b16 : tensor<?xi16>
  %xori = arith.xori %a16, %b16 : tensor<?xi16>
  %shli = arith.shli %a16, %c16 : tensor<?xi16>
  %shrsi = arith.shrsi %a16, %c16 : tensor<?xi16>
  %shrui = arith.shrui %a16, %c16 : tensor<?xi16>
  %absi = math.absi %a16 : tensor<?xi16>
  %same = arith.xori %a16, %a16 : tensor<?xi16>
  %none = arith.subi %a16, %a16 : tensor<?xi16>
  %is_eq = arith.cmpi eq, %a16, %b16 : tensor<?xi16>
  %eq = arith.select %is_eq, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_ne = arith.cmpi ne, %a16, %b16 : tensor<?xi16>
  %ne = arith.select %is_ne, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_slt = arith.cmpi slt, %a16, %b16 : tensor<?xi16>
  %slt = arith.select %is_slt, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_sle = arith.cmpi sle, %a16, %b16 : tensor<?xi16>
  %sle = arith.select %is_sle, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_sgt = arith.cmpi sgt, %a16, %b16 : tensor<?xi16>
  %sgt = arith.select %is_sgt, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_sge = arith.cmpi sge, %a16, %b16 : tensor<?xi16>
  %sge = arith.select %is_sge, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_ult = arith.cmpi ult, %a16, %b16 : tensor<?xi16>
  %ult = arith.select %is_ult, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_ule = arith.cmpi ule, %a16, %b16 : tensor<?xi16>
  %ule = arith.select %is_ule, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_ugt = arith.cmpi ugt, %a16, %b16 : tensor<?xi16>
  %ugt = arith.select %is_ugt, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %is_uge = arith.cmpi uge, %a16, %b16 : tensor<?xi16>
  %uge = arith.select %is_uge, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  %always = arith.cmpi eq, %a16, %a16 : tensor<?xi16>
  %one = arith.select %always, %a16, %b16 : tensor<?xi1>, tensor<?xi16>
  blocks.output %addi "addi" : tensor<?xi16>
  blocks.output %subi "subi" : tensor<?xi16>
  blocks.output %muli "muli" : tensor<?xi16>
  blocks.output %divsi "divsi" : tensor<?xi16>
  blocks.output %remsi "remsi" : tensor<?xi16>
  blocks.output %divui "divui" : tensor<?xi16>
  blocks.output %remui "remui" : tensor<?xi16>
  blocks.output %maxsi "maxsi" : tensor<?xi16>
  blocks.output %minsi "minsi" : tensor<?xi16>
  blocks.output %maxui "maxui" : tensor<?xi16>
  blocks.output %minui "minui" : tensor<?xi16>
  blocks.output %andi "andi" : tensor<?xi16>
  blocks.output %ori "ori" : tensor<?xi16>
  blocks.output %xori "xori" : tensor<?xi16>
  blocks.output %shli "shli" : tensor<?xi16>
  blocks.output %shrsi "shrsi" : tensor<?xi16>
  blocks.output %shrui "shrui" : tensor<?xi16>
  blocks.output %absi "absi" : tensor<?xi16>
  blocks.output %same "same" : tensor<?xi16>
  blocks.output %none "none" : tensor<?xi16>
  blocks.output %eq "eq" : tensor<?xi16>
  blocks.output %ne "ne" : tensor<?xi16>
  blocks.output %slt "slt" : tensor<?xi16>
  blocks.output %sle "sle" : tensor<?xi16>
  blocks.output %sgt "sgt" : tensor<?xi16>
  blocks.output %sge "sge" : tensor<?xi16>
  blocks.output %ult "ult" : tensor<?xi16>
  blocks.output %ule "ule" : tensor<?xi16>
  blocks.output %ugt "ugt" : tensor<?xi16>
  blocks.output %uge "uge" : tensor<?xi16>
  blocks.output %one "one" : tensor<?xi16>
}

blocks.graph @i32(%a: tensor<?xi64> {blocks.source = "a", blocks.axes = ["batch"]},
    %b: tensor<?xi64> {blocks.source = "b", blocks.axes = ["batch"]},
    %c: tensor<?xi64> {blocks.source = "c", blocks.axes = ["batch"]}) {
  %a32 = blocks.cast %a : tensor<?xi64> to tensor<?xi32>
  %b32 = blocks.cast %b : tensor<?xi64> to tensor<?xi32>
  %c32 = blocks.cast %c : tensor<?xi64> to tensor<?xi32>
  %addi = arith.addi %a32, %b32 : tensor<?xi32>
  %subi = arith.subi %a32, %b32 : tensor<?xi32>
  %muli = arith.muli %a32, %b32 : tensor<?xi32>
  %divsi = arith.divsi %a32, %b32 : tensor<?xi32>
  %remsi = arith.remsi %a32, %b32 : tensor<?xi32>
  %divui = arith.divui %a32, %b32 : tensor<?xi32>
  %remui = arith.remui %a32, %b32 : tensor<?xi32>
  %maxsi = arith.maxsi %a32, %b32 : tensor<?xi32>
  %minsi = arith.minsi %a32, %b32 : tensor<?xi32>
  %maxui = arith.maxui %a32, %b32 : tensor<?xi32>
  %minui = arith.minui %a32, %b32 : tensor<?xi32>
  %andi = arith.andi %a32, %b32 : tensor<?xi32>
  %ori = arith.ori %a32, %b32 : tensor<?xi32>
  %xori = arith.xori %a32, %b32 : tensor<?xi32>
  %shli = arith.shli %a32, %c32 : tensor<?xi32>
  %shrsi = arith.shrsi %a32, %c32 : tensor<?xi32>
  %shrui = arith.shrui %a32, %c32 : tensor<?xi32>
  %absi = math.absi %a32 : tensor<?xi32>
  %same = arith.xori %a32, %a32 : tensor<?xi32>
  %none = arith.subi %a32, %a32 : tensor<?xi32>
  %is_eq = arith.cmpi eq, %a32, %b32 : tensor<?xi32>
  %eq = arith.select %is_eq, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_ne = arith.cmpi ne, %a32, %b32 : tensor<?xi32>
  %ne = arith.select %is_ne, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_slt = arith.cmpi slt, %a32, %b32 : tensor<?xi32>
  %slt = arith.select %is_slt, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_sle = arith.cmpi sle, %a32, %b32 : tensor<?xi32>
  %sle = arith.select %is_sle, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_sgt = arith.cmpi sgt, %a32, %b32 : tensor<?xi32>
  %sgt = arith.select %is_sgt, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_sge = arith.cmpi sge, %a32, %b32 : tensor<?xi32>
  %sge = arith.select %is_sge, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_ult = arith.cmpi ult, %a32, %b32 : tensor<?xi32>
  %ult = arith.select %is_ult, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_ule = arith.cmpi ule, %a32, %b32 : tensor<?xi32>
  %ule = arith.select %is_ule, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_ugt = arith.cmpi ugt, %a32, %b32 : tensor<?xi32>
  %ugt = arith.select %is_ugt, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %is_uge = arith.cmpi uge, %a32, %b32 : tensor<?xi32>
  %uge = arith.select %is_uge, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  %always = arith.cmpi eq, %a32, %a32 : tensor<?xi32>
  %one = arith.select %always, %a32, %b32 : tensor<?xi1>, tensor<?xi32>
  blocks.output %addi "addi" : tensor<?xi32>
  blocks.output %subi "subi" : tensor<?xi32>
  blocks.output %muli "muli" : tensor<?xi32>
  blocks.output %divsi "divsi" : tensor<?xi32>
  blocks.output %remsi "remsi" : tensor<?xi32>
  blocks.output %divui "divui" : tensor<?xi32>
  blocks.output %remui "remui" : tensor<?xi32>
  blocks.output %maxsi "maxsi" : tensor<?xi32>
  blocks.output %minsi "minsi" : tensor<?xi32>
  blocks.output %maxui "maxui" : tensor<?xi32>
  blocks.output %minui "minui" : tensor<?xi32>
  blocks.output %andi "andi" : tensor<?xi32>
  blocks.output %ori "ori" : tensor<?xi32>
  blocks.output %xori "xori" : tensor<?xi32>
  blocks.output %shli "shli" : tensor<?xi32>
  blocks.output %shrsi "shrsi" : tensor<?xi32>
  blocks.output %shrui "shrui" : tensor<?xi32>
  blocks.output %absi "absi" : tensor<?xi32>
  blocks.output %same "same" : tensor<?xi32>
  blocks.output %none "none" : tensor<?xi32>
  blocks.output %eq "eq" : tensor<?xi32>
  blocks.output %ne "ne" : tensor<?xi32>
  blocks.output %slt "slt" : tensor<?xi32>
  blocks.output %sle "sle" : tensor<?xi32>
  blocks.output %sgt "sgt" : tensor<?xi32>
  blocks.output %sge "sge" : tensor<?xi32>
  blocks.output %ult "ult" : tensor<?xi32>
  blocks.output %ule "ule" : tensor<?xi32>
  blocks.output %ugt "ugt" : tensor<?xi32>
  blocks.output %uge "uge" : tensor<?xi32>
  blocks.output %one "one" : tensor<?xi32>
}

blocks.graph @i64(%a: tensor<?xi64> {blocks.source = "a", blocks.axes = ["batch"]},
    %b: tensor<?xi64> {blocks.source = "b", blocks.axes = ["batch"]},
    %c: tensor<?xi64> {blocks.source = "c", blocks.axes = ["batch"]}) {
  %a64 = blocks.cast %a : tensor<?xi64> to tensor<?xi64>
  %b64 = blocks.cast %b : tensor<?xi64> to tensor<?xi64>
  %c64 = blocks.cast %c : tensor<?xi64> to tensor<?xi64>
  %addi = arith.addi %a64, %b64 : tensor<?xi64>
  %subi = arith.subi %a64, %b64 : tensor<?xi64>
  %muli = arith.muli %a64, %b64 : tensor<?xi64>
  %divsi = arith.divsi %a64, %b64 : tensor<?xi64>
  %remsi = arith.remsi %a64, %b64 : tensor<?xi64>
  %divui = arith.divui %a64, %b64 : tensor<?xi64>
  %remui = arith.remui %a64, %b64 : tensor<?xi64>
  %maxsi = arith.maxsi %a64, %b64 : tensor<?xi64>
  %minsi = arith.minsi %a64, %b64 : tensor<?xi64>
  %maxui = arith.maxui %a64, %b64 : tensor<?xi64>
  %minui = arith.minui %a64, %b64 : tensor<?xi64>
  %andi = arith.andi %a64, %b64 : tensor<?xi64>
  %ori = arith.ori %a64, %b64 : tensor<?xi64>
  %xori = arith.xori %a64, %b64 : tensor<?xi64>
  %shli = arith.shli %a64, %c64 : tensor<?xi64>
  %shrsi = arith.shrsi %a64, %c64 : tensor<?xi64>
  %shrui = arith.shrui %a64, %c64 : tensor<?xi64>
  %absi = math.absi %a64 : tensor<?xi64>
  %same = arith.xori %a64, %a64 : tensor<?xi64>
  %none = arith.subi %a64, %a64 : tensor<?xi64>
  %is_eq = arith.cmpi eq, %a64, %b64 : tensor<?xi64>
  %eq = arith.select %is_eq, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_ne = arith.cmpi ne, %a64, %b64 : tensor<?xi64>
  %ne = arith.select %is_ne, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_slt = arith.cmpi slt, %a64, %b64 : tensor<?xi64>
  %slt = arith.select %is_slt, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_sle = arith.cmpi sle, %a64, %b64 : tensor<?xi64>
  %sle = arith.select %is_sle, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_sgt = arith.cmpi sgt, %a64, %b64 : tensor<?xi64>
  %sgt = arith.select %is_sgt, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_sge = arith.cmpi sge, %a64, %b64 : tensor<?xi64>
  %sge = arith.select %is_sge, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_ult = arith.cmpi ult, %a64, %b64 : tensor<?xi64>
  %ult = arith.select %is_ult, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_ule = arith.cmpi ule, %a64, %b64 : tensor<?xi64>
  %ule = arith.select %is_ule, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_ugt = arith.cmpi ugt, %a64, %b64 : tensor<?xi64>
  %ugt = arith.select %is_ugt, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %is_uge = arith.cmpi uge, %a64, %b64 : tensor<?xi64>
  %uge = arith.select %is_uge, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  %always = arith.cmpi eq, %a64, %a64 : tensor<?xi64>
  %one = arith.select %always, %a64, %b64 : tensor<?xi1>, tensor<?xi64>
  blocks.output %addi "addi" : tensor<?xi64>
  blocks.output %subi "subi" : tensor<?xi64>
  blocks.output %muli "muli" : tensor<?xi64>
  blocks.output %divsi "divsi" : tensor<?xi64>
  blocks.output %remsi "remsi" : tensor<?xi64>
  blocks.output %divui "divui" : tensor<?xi64>
  blocks.output %remui "remui" : tensor<?xi64>
  blocks.output %maxsi "maxsi" : tensor<?xi64>
  blocks.output %minsi "minsi" : tensor<?xi64>
  blocks.output %maxui "maxui" : tensor<?xi64>
  blocks.output %minui "minui" : tensor<?xi64>
  blocks.output %andi "andi" : tensor<?xi64>
  blocks.output %ori "ori" : tensor<?xi64>
  blocks.output %xori "xori" : tensor<?xi64>
  blocks.output %shli "shli" : tensor<?xi64>
  blocks.output %shrsi "shrsi" : tensor<?xi64>
  blocks.output %shrui "shrui" : tensor<?xi64>
  blocks.output %absi "absi" : tensor<?xi64>
  blocks.output %same "same" : tensor<?xi64>
  blocks.output %none "none" : tensor<?xi64>
  blocks.output %eq "eq" : tensor<?xi64>
  blocks.output %ne "ne" : tensor<?xi64>
  blocks.output %slt "slt" : tensor<?xi64>
  blocks.output %sle "sle" : tensor<?xi64>
  blocks.output %sgt "sgt" : tensor<?xi64>
  blocks.output %sge "sge" : tensor<?xi64>
  blocks.output %ult "ult" : tensor<?xi64>
  blocks.output %ule "ule" : tensor<?xi64>
  blocks.output %ugt "ugt" : tensor<?xi64>
  blocks.output %uge "uge" : tensor<?xi64>
  blocks.output %one "one" : tensor<?xi64>
}

}
